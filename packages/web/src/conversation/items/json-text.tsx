// A value as JSON, bounded so that a message of many megabytes does not freeze the page.
import { t } from '../../i18n/translate.ts';
import { ScrollBox } from '../../ui/scroll-box.tsx';

const longest = 200_000;

export function JsonText({ value }: { value: unknown }) {
  const json = JSON.stringify(value, null, 2) ?? 'undefined';
  const hidden = json.length - longest;
  return (
    <ScrollBox label="JSON" className="max-h-[50vh] rounded-lg bg-code p-3">
      <pre className="whitespace-pre-wrap break-words font-mono text-xs leading-relaxed">
        {json.slice(0, longest)}
      </pre>
      {hidden > 0 && (
        <p className="mt-2 text-soft text-xs">
          {t(
            '{count, plural, one {# more character is not shown.} other {# more characters are not shown.}}',
            { count: hidden },
          )}
        </p>
      )}
    </ScrollBox>
  );
}

/** A frame as a value. What is not JSON is shown as text. */
export function parsed(frame: string): unknown {
  try {
    return JSON.parse(frame);
  } catch {
    return frame;
  }
}
