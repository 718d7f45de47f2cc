// Runs the commands on a page and checks that they print what the page shows.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Step {
  readonly command: string;
  readonly expected: string;
}

export interface PageSection {
  readonly heading: string;
  readonly steps: readonly Step[];
}

/** The shell blocks of a page: `sh` runs as a whole and prints nothing, `console` runs each line after a `$`. */
export function sectionsOf(page: string): readonly PageSection[] {
  return page
    .split(/^## /m)
    .map((section) => ({ heading: /^.*/.exec(section)?.[0] ?? '', steps: stepsOf(section) }))
    .filter(({ steps }) => steps.length > 0);
}

export function blocksOf(page: string, language: string): readonly string[] {
  return Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm')), ([, text]) =>
    String(text),
  );
}

/** `…` matches anything, an id matches by its start, and event numbers may differ. */
export function asPattern(expected: string): RegExp {
  return new RegExp(
    `^${escaped(expected)
      .replaceAll(/[0-9a-f]{8}-…/g, '[0-9a-f]{8}-[0-9a-f-]{27}')
      .replaceAll(/^id: \d+$/gm, 'id: \\d+')
      .replaceAll('…', '[\\s\\S]*?')}$`,
  );
}

/** How an answer is split depends on timing, so lines with its pieces are joined. */
export function joined(printed: string): string {
  return printed.replaceAll('"}\n{"type":"text","delta":"', '').replaceAll('"}\n…', '…');
}

/** One shell for all commands of a page, so that later ones see the variables of earlier ones. */
export class PageShell {
  readonly #bash: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  #complaints = '';

  constructor(cwd: string, environment: NodeJS.ProcessEnv) {
    this.#bash = spawn('bash', ['--noprofile', '--norc'], { cwd, env: environment });
    this.#ended = once(this.#bash, 'close');
    this.#bash.stdout.setEncoding('utf8');
    this.#bash.stderr.on('data', (text: Buffer) => {
      this.#complaints = (this.#complaints + text.toString()).slice(-2_000);
    });
  }

  /** What the command prints to stdout, then to stderr. */
  async run(command: string): Promise<string> {
    this.#complaints = '';
    let printed = '';
    let hear: (text: string) => void = () => undefined;
    const done = new Promise<void>((resolve) => {
      hear = (text) => {
        printed += text;
        if (printed.endsWith(endMark)) resolve();
      };
    });
    this.#bash.stdout.on('data', hear);
    this.#bash.stdin.write(`${command}\nprintf '${endMarkInShell}'\n`);
    await Promise.race([done, this.#ended]);
    this.#bash.stdout.off('data', hear);
    if (!printed.endsWith(endMark)) throw new Error(`the shell ended: ${this.#complaints}`);
    return (printed.slice(0, -endMark.length) + this.#complaints).trimEnd();
  }

  async close(): Promise<void> {
    this.#bash.stdin.end();
    await this.#ended;
  }
}

const endMark = '\u001e';
const endMarkInShell = '\\036';

function stepsOf(section: string): readonly Step[] {
  const blocks = section.matchAll(/^```(sh|console)\n([\s\S]*?)^```/gm);
  return Array.from(blocks, ([, language, text = '']) =>
    language === 'sh' ? [{ command: text, expected: '' }] : dialogue(text),
  ).flat();
}

function dialogue(text: string): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [command = '', ...expected] = step.split('\n');
      return { command, expected: expected.join('\n').trimEnd() };
    });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
