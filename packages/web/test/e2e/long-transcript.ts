// The transcript of a long session as the program writes it: a prompt, a tool call, its result and an answer, repeated.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, realpathSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Parley } from './harness.ts';

export interface LongTranscript {
  readonly messages: number;
  /** Letters in each result, besides a few lines. */
  readonly lettersPerResult?: number;
  /** Answers contain code and a table. */
  readonly isRich?: boolean;
  /** Lines have no uuid and no time, so the program finds no conversation in them. */
  readonly isRefused?: boolean;
}

/** Returns the session's id. */
export function writeTranscript({ home }: Pick<Parley, 'home'>, transcript: LongTranscript): string {
  const id = randomUUID();
  const cwd = realpathSync(join(home, 'demo', 'projects', 'reading-list'));
  const folder = cwd.replaceAll(/[^a-zA-Z0-9]/g, '-');
  const projects = join(home, 'demo', 'claude-home', '.claude', 'projects', folder);
  mkdirSync(projects, { recursive: true });
  const file = openSync(join(projects, `${id}.jsonl`), 'wx');
  let parentUuid: string | null = null;
  for (let at = 0; at < transcript.messages; at += 1) {
    const uuid = randomUUID();
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
    const common = {
      parentUuid,
      isSidechain: false,
      ...(!transcript.isRefused && { uuid, timestamp }),
      cwd,
      sessionId: id,
      version: '2.1.325',
    };
    writeSync(file, `${JSON.stringify({ ...common, ...lineOf(at, transcript) })}\n`);
    parentUuid = uuid;
  }
  closeSync(file);
  return id;
}

function lineOf(at: number, { lettersPerResult = 0, isRich = false }: LongTranscript): object {
  const turn = Math.floor(at / 4);
  const call = `toolu_${String(turn).padStart(24, '0')}`;
  switch (at % 4) {
    case 0:
      return user(`Prompt number ${turn}`);
    case 1:
      return assistant(at, {
        type: 'tool_use',
        id: call,
        name: 'Bash',
        input: { command: `echo ${turn}` },
      });
    case 2: {
      const content =
        `${turn}\n`.repeat((turn % 9) + 1) + outputLine.repeat(lettersPerResult / outputLine.length);
      return user([{ type: 'tool_result', tool_use_id: call, content }]);
    }
    default: {
      const words = `Answer number ${turn}, with **words**.\n\n- one\n- two`.repeat((turn % 3) + 1);
      return assistant(at, {
        type: 'text',
        text: isRich ? `${words}\n\n${extras[turn % extras.length]}` : words,
      });
    }
  }
}

const outputLine = 'src/some/file.ts:12:7  nothing is wrong here, at some length\n';
const extras = [
  '',
  '```ts\nexport function add(one: number, other: number): number {\n  return one + other; // at last\n}\n```',
  '| file | lines |\n|---|---:|\n| `one.ts` | 12 |\n| `two.ts` | 240 |\n| `three.ts` | 7 |',
  'A longer paragraph, with [a link](https://example.org), `code` and *stress*, as answers have it. '.repeat(
    6,
  ),
];

function user(content: unknown): object {
  return { type: 'user', message: { role: 'user', content } };
}

function assistant(at: number, block: object): object {
  const message = { id: `msg_${at}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5' };
  return { type: 'assistant', message: { ...message, content: [block] } };
}
