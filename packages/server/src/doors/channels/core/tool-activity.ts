// The tools of a turn as lines for people: what runs, what is done, what failed. Also counts rounds: calls that are
// made together are one round.
import type { SessionEvent } from '@parley/protocol';
import { messageToolName } from './message-tool.ts';

interface ToolLine {
  readonly label: string;
  state: 'running' | 'finished' | 'failed';
}

/** Lines on show; earlier ones are counted. */
const mostLines = 8;
/** What these do is a message of its own. */
const seenInChat = new Set([messageToolName, 'AskUserQuestion', 'ExitPlanMode']);
const mark = { running: '⏳', finished: '✓', failed: '✗' };

export class ToolActivity {
  readonly #lines = new Map<string, ToolLine>();
  #dropped = 0;
  #isRoundOpen = false;
  rounds = 0;

  /** True when there is something new to show. */
  add(event: SessionEvent): boolean {
    switch (event.type) {
      case 'tool.started':
        if (!this.#isRoundOpen) this.rounds += 1;
        this.#isRoundOpen = true;
        if (seenInChat.has(event.tool)) return false;
        this.#lines.set(event.id, { label: toolLabel(event.tool, event.input), state: 'running' });
        this.#trim();
        return true;
      case 'tool.ended': {
        this.#isRoundOpen = false;
        const line = this.#lines.get(event.id);
        if (line) line.state = event.outcome;
        return line !== undefined;
      }
      default:
        return false;
    }
  }

  /** Plain text, as Markdown: names and commands are code. */
  get text(): string {
    const lines = [...this.#lines.values()].map(({ label, state }) => `${mark[state]} ${label}`);
    const earlier = this.#dropped > 0 ? [`… and ${this.#dropped} before`] : [];
    return ['Working …', ...earlier, ...lines].join('\n');
  }

  #trim(): void {
    const [oldest] = this.#lines.keys();
    if (this.#lines.size <= mostLines || oldest === undefined) return;
    this.#lines.delete(oldest);
    this.#dropped += 1;
  }
}

/** The tool and the one word of its input that says most. */
export function toolLabel(tool: string, input: unknown): string {
  const name = tool.replace(/^mcp__/, '').replaceAll('__', ' ');
  const subject = subjectOf(input);
  return subject === undefined ? name : `${name} \`${subject}\``;
}

const telling = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description', 'title'];
const longestSubject = 60;

function subjectOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  const value = telling
    .map((name) => fields[name])
    .find((found) => typeof found === 'string' && found !== '');
  if (typeof value !== 'string') return undefined;
  const line = value.replaceAll(/[\s`]+/g, ' ').trim();
  return line.length <= longestSubject ? line : `${Array.from(line).slice(0, longestSubject).join('')}…`;
}
