// A value as JSON, bounded so that a message of many megabytes does not stop the page.
import { ScrollBox } from '../../ui/scroll-box.tsx';

const longest = 200_000;

export function JsonText({ value }: { value: unknown }) {
  const json = JSON.stringify(value, null, 2) ?? 'undefined';
  return (
    <ScrollBox label="JSON" className="max-h-[50vh] rounded-lg bg-code p-3">
      <pre className="whitespace-pre-wrap break-words font-mono text-xs leading-relaxed">
        {json.slice(0, longest)}
      </pre>
      {json.length > longest && (
        <p className="mt-2 text-soft text-xs">… {json.length - longest} more characters are not shown.</p>
      )}
    </ScrollBox>
  );
}
