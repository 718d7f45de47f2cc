// Chooses pictures from what is kept on the device.
import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { IconButton } from '../ui/button.tsx';

export function PictureButton({
  isDisabled = false,
  onFiles,
}: {
  isDisabled?: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Pictures to attach"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = '';
        }}
      />
      <IconButton label="Attach pictures" disabled={isDisabled} onClick={() => picker.current?.click()}>
        <ImagePlus size={18} aria-hidden />
      </IconButton>
    </>
  );
}
