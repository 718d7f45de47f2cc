// Copies a text, and says for a moment whether it could.
import { Check, Copy, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';
import { tell } from './notice.tsx';

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
  const shown = isCopied === undefined ? { label, icon } : isCopied ? copied : refused;
  return (
    <IconButton label={shown.label} className="size-8" onClick={() => void copy()}>
      {shown.icon}
    </IconButton>
  );
}

const copied = { label: 'Copied', icon: <Check size={15} aria-hidden /> };
const refused = { label: 'Not copied', icon: <X size={15} aria-hidden /> };

/** False when the browser refused. The person is told so then. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = 'clipboard' in navigator ? await writeClipboard(text) : copySelected(text);
  if (!isCopied) tell('The browser did not let Parley copy this. Select the text and copy it by hand.');
  return isCopied;
}

function writeClipboard(text: string): Promise<boolean> {
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

/** Over plain HTTP browsers have no clipboard but that of a selection. */
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
