// A conversation as JSON, with everything that the record has.
import type { ExportFormat } from './format.ts';

export const jsonExport: ExportFormat = {
  type: 'application/json; charset=utf-8',
  ending: 'json',
  begin: (head) => `${JSON.stringify({ ...head, words: undefined }).slice(0, -1)},"items":[`,
  item: (item, _head, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(item)}`,
  end: () => '\n]}\n',
};
