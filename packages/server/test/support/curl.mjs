// As much of curl as the pages of the documentation use, for machines that have none.

import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'no-buffer': { type: 'boolean', short: 'N' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    request: { type: 'string', short: 'X' },
    data: { type: 'string', short: 'd' },
    json: { type: 'string' },
    output: { type: 'string', short: 'o' },
    'write-out': { type: 'string', short: 'w', default: '' },
    'max-time': { type: 'string', short: 'm' },
  },
});

// A reader that stops early, such as head, is not a failure.
process.stdout.on('error', () => process.exit());

const body = values.json === '@-' ? await text(process.stdin) : (values.json ?? values.data);
const headers = new Headers(values.header.map((line) => line.split(/: (.*)/, 2)));
if (values.json !== undefined) headers.set('content-type', 'application/json');
if (values.data !== undefined) headers.set('content-type', 'application/x-www-form-urlencoded');
const response = await fetch(positionals[0], {
  method: values.request ?? (body === undefined ? 'GET' : 'POST'),
  headers,
  ...(body !== undefined && { body }),
  ...(values['max-time'] && { signal: AbortSignal.timeout(Number(values['max-time']) * 1_000) }),
});
try {
  for await (const chunk of response.body ?? []) {
    if (values.output === undefined) process.stdout.write(chunk);
    else writeFileSync(values.output, chunk, { flag: 'a' });
  }
} catch {
  process.exitCode = 28;
}
process.stdout.write(
  values['write-out']
    .replaceAll('\\n', '\n')
    .replaceAll('%{http_code}', response.status)
    .replaceAll(/%header\{([\w-]+)\}/g, (_whole, name) => response.headers.get(name) ?? ''),
);
