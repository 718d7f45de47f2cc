// Shows the tools of a turn as lines of text: running, finished or failed. Also counts rounds: calls that the model
// makes together are one round.
import type { SessionEvent } from '@parley/protocol';
import { messageToolName } from './message-tool.ts';

interface ToolLine {
  readonly label: string;
  state: 'running' | 'finished' | 'failed';
}

/** Lines shown; earlier ones are only counted. */
const maxLines = 8;
/** These are shown in separate messages. */
const shownElsewhere = new Set([messageToolName, 'AskUserQuestion', 'ExitPlanMode']);
const mark = { running: '⏳', finished: '✓', failed: '✗' };

export class ToolActivity {
  readonly #lines = new Map<string, ToolLine>();
  #dropped = 0;
  #isRoundOpen = false;
  rounds = 0;

  /** Returns true when the text changed. */
  add(event: SessionEvent): boolean {
    switch (event.type) {
      case 'tool.started':
        if (!this.#isRoundOpen) this.rounds += 1;
        this.#isRoundOpen = true;
        if (shownElsewhere.has(event.tool)) return false;
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

  /** Markdown. */
  get text(): string {
    const lines = [...this.#lines.values()].map(({ label, state }) => `${mark[state]} ${label}`);
    const earlier = this.#dropped > 0 ? [`… and ${this.#dropped} earlier`] : [];
    return ['Working …', ...earlier, ...lines].join('\n');
  }

  #trim(): void {
    const [oldest] = this.#lines.keys();
    if (this.#lines.size <= maxLines || oldest === undefined) return;
    this.#lines.delete(oldest);
    this.#dropped += 1;
  }
}

/** The tool and the most telling field of its input. */
export function toolLabel(tool: string, input: unknown): string {
  const name = tool.replace(/^mcp__/, '').replaceAll('__', ' ');
  const subject = subjectOf(input);
  return subject === undefined ? name : `${name} \`${subject}\``;
}

const tellingFields = ['command', 'file_path', 'path', 'pattern', 'query', 'url', 'description', 'title'];
const longestSubject = 60;

function subjectOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const fields = input as Readonly<Record<string, unknown>>;
  const value = tellingFields
    .map((name) => fields[name])
    .find((found) => typeof found === 'string' && found !== '');
  if (typeof value !== 'string') return undefined;
  const line = value.replaceAll(/[\s`]+/g, ' ').trim();
  return line.length <= longestSubject ? line : `${Array.from(line).slice(0, longestSubject).join('')}…`;
}
