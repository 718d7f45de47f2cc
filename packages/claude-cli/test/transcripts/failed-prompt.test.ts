// Where to resume a transcript whose last prompt failed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { lastFailedPrompt } from '../../src/transcripts/failed-prompt.ts';

const user = (uuid: string, parentUuid: string | null, content: unknown = 'Hi') => ({
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
});
const assistant = (uuid: string, parentUuid: string, more: object = {}) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  message: { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
  ...more,
});
const leafAt = (leafUuid: string | null, more: object = {}) => ({ type: 'last-prompt', leafUuid, ...more });
const left = leafAt(null, { explicit: true });
const failure = { isApiErrorMessage: true };
const result = [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }];
const answered = [user('a', null), assistant('b', 'a')];

it.each([
  ['an answer', answered, undefined],
  ['a prompt that nobody has answered yet', [...answered, user('c', 'b')], undefined],
  ['a prompt that failed', [...answered, user('c', 'b'), assistant('d', 'c', failure)], { after: 'b' }],
  ['a first prompt that failed', [user('a', null), assistant('b', 'a', failure)], { after: undefined }],
  [
    'a first prompt that failed and was dropped',
    [user('a', null), assistant('b', 'a', failure), left],
    undefined,
  ],
  [
    'a prompt that was dropped, and another one that failed',
    [
      user('a', null),
      assistant('b', 'a', failure),
      left,
      user('c', null),
      assistant('d', 'c', failure),
      leafAt('d'),
    ],
    { after: undefined },
  ],
  ['a failure whose prompt is too far away', [assistant('b', 'a', failure)], undefined],
  [
    'a prompt that failed after a tool ran',
    [...answered, user('c', 'b'), assistant('d', 'c'), user('e', 'd', result), assistant('f', 'e', failure)],
    undefined,
  ],
  [
    'a prompt that failed, and one that was answered',
    [...answered, user('c', 'b'), assistant('d', 'c', failure), user('e', 'b'), assistant('f', 'e')],
    undefined,
  ],
  [
    'a subagent that failed',
    [...answered, user('c', 'b'), assistant('d', 'c', { ...failure, isSidechain: true })],
    undefined,
  ],
])('after %s', async (_, lines: readonly object[], expected) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-failed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'x.jsonl');
  const text = [...lines, { type: 'atis-latch' }].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(file, `${text}\n{"uuid":"torn`);
  expect(await lastFailedPrompt(file)).toEqual(expected);
});

it('is undefined for a missing file', async () => {
  expect(await lastFailedPrompt('/no/such/file')).toBeUndefined();
});
