// Copies a text and says so for a moment.
import { Check, Copy } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { IconButton } from './button.tsx';

export function CopyButton({
  text,
  label,
  icon = <Copy size={15} aria-hidden />,
}: {
  text: () => string;
  label: string;
  icon?: ReactNode;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 1_500);
  };
  return (
    <IconButton label={isCopied ? 'Copied' : label} className="size-8" onClick={() => void copy()}>
      {isCopied ? <Check size={15} aria-hidden /> : icon}
    </IconButton>
  );
}

/** Over plain HTTP browsers have no clipboard but that of a selection. */
export async function copyText(text: string): Promise<void> {
  if ('clipboard' in navigator) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}
