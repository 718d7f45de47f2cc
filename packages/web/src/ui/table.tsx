// A table in an answer. A wide one scrolls; its content can be copied into a spreadsheet.
import { type ComponentProps, useRef } from 'react';
import { t } from '../i18n/translate.ts';
import { CopyButton } from './copy-button.tsx';
import { ScrollBox } from './scroll-box.tsx';

export function Table({ children }: ComponentProps<'table'>) {
  const table = useRef<HTMLTableElement>(null);
  return (
    <div className="group/table relative my-4 rounded-xl border border-line">
      <ScrollBox label={t('Table')} className="rounded-xl">
        <table ref={table} className="w-full text-sm">
          {children}
        </table>
      </ScrollBox>
      <div className="absolute end-1 top-1 rounded-lg bg-raised opacity-0 transition-opacity focus-within:opacity-100 group-hover/table:opacity-100">
        <CopyButton label={t('Copy table')} text={() => asText(table.current)} />
      </div>
    </div>
  );
}

export function HeadCell({ children, style }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      dir="auto"
      style={style}
      className="whitespace-nowrap px-4 py-2.5 text-start font-semibold"
    >
      {children}
    </th>
  );
}

export function Cell({ children, style }: ComponentProps<'td'>) {
  return (
    <td dir="auto" style={style} className="min-w-24 px-4 py-2.5 align-top">
      {children}
    </td>
  );
}

function asText(table: HTMLTableElement | null): string {
  const rows = [...(table?.rows ?? [])];
  return rows.map(({ cells }) => [...cells].map((cell) => cell.innerText).join('\t')).join('\n');
}
