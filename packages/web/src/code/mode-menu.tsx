// Chooses what a session may do without asking. The mode in which Claude never asks has to be confirmed.

import { useState } from 'react';
import { ChoiceMenu } from '../conversation/choice-menu.tsx';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { modes, nameOfMode, neverAsk } from './choices.ts';

export function ModeMenu({
  mode = 'default',
  folder,
  onChoose,
}: {
  mode: string | undefined;
  folder: string;
  onChoose: (mode: string) => void;
}) {
  const [isConfirming, setConfirming] = useState(false);
  return (
    <>
      <ChoiceMenu
        label={t('Permission mode')}
        shown={nameOfMode(mode)}
        choices={modes()}
        chosen={mode}
        onChoose={(chosen) =>
          chosen === neverAsk && mode !== neverAsk ? setConfirming(true) : onChoose(chosen)
        }
      />
      <ConfirmNeverAsk
        open={isConfirming}
        folder={folder}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false);
          onChoose(neverAsk);
        }}
      />
    </>
  );
}

export function ConfirmNeverAsk({
  open,
  folder,
  onCancel,
  onConfirm,
}: {
  open: boolean;
  folder: string;
  onCancel: () => void;
  onConfirm: () => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onCancel}
      title={t('Never ask?')}
      description={t(
        'Claude will edit and delete files and run any command without asking, in “{folder}” and anywhere else Parley has access. What it reads, such as a web page, can mislead it.',
        { folder },
      )}
    >
      <DialogButtons onCancel={onCancel}>
        <Button look="danger" onClick={onConfirm}>
          {t('Never ask')}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
