// Chooses pictures from the device.
import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { IconButton } from '../ui/button.tsx';

export function PictureButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('Pictures to attach')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton label={t('Attach pictures')} onClick={() => picker.current?.click()}>
        <ImagePlus size={18} aria-hidden />
      </IconButton>
    </>
  );
}
