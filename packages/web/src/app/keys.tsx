// The keys of a shortcut, as printed on the keyboard.
import { t } from '../i18n/translate.ts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Keys({ of }: { of: string }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {of.split(/(?<=.)\+|\s/).map((part, index) => (
        <kbd
          key={index}
          className={
            part === 'then'
              ? 'px-0.5 font-sans text-faint text-xs'
              : 'min-w-6 rounded-md border border-line bg-sunken px-1.5 py-0.5 text-center font-mono text-xs'
          }
        >
          {nameOf(part)}
        </kbd>
      ))}
    </span>
  );
}

function nameOf(part: string): string {
  if (part === 'then') return t('then');
  if (part === 'Shift') return t('Shift');
  if (part !== 'Mod') return part;
  return isMac ? '⌘' : t('Ctrl');
}
