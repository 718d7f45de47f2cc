// Chooses pictures and files from the device.
import { Paperclip } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';

export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        aria-label={t('Files to attach')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton label={t('Attach files')} onClick={() => picker.current?.click()}>
        <Paperclip size={18} aria-hidden />
      </IconButton>
    </>
  );
}
