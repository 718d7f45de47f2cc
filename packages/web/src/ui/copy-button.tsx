// Copies a text and shows for a moment whether that worked.
import { Check, Copy, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';
import { showNotice } from './notice.tsx';

const shownMs = 1_500;

export function CopyButton({
  text,
  label,
  icon = <Copy size={15} aria-hidden />,
}: {
  text: () => string;
  label: string;
  icon?: ReactNode;
}) {
  const [isCopied, setCopied] = useState<boolean>();
  const copy = async () => {
    setCopied(await copyText(text()));
    setTimeout(() => setCopied(undefined), shownMs);
  };
  return (
    <IconButton
      label={isCopied === undefined ? label : isCopied ? t('Copied') : t('Not copied')}
      className="size-8"
      onClick={() => void copy()}
    >
      {isCopied === undefined ? (
        icon
      ) : isCopied ? (
        <Check size={15} aria-hidden />
      ) : (
        <X size={15} aria-hidden />
      )}
    </IconButton>
  );
}

/** Returns false when the browser refuses, and shows a notice then. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = 'clipboard' in navigator ? await writeClipboard(text) : copySelected(text);
  if (!isCopied) showNotice(t('Your browser didn’t allow copying. Select the text and copy it yourself.'));
  return isCopied;
}

function writeClipboard(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Over plain HTTP, browsers only copy a selection. */
function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
