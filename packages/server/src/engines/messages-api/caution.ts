// Decides what a turn may still do without asking once it has read something. Text from strangers may contain
// instructions that the model follows, and private content must not leak. See docs/adr/0015-asking-after-reading.md.
import type { ContentBlock } from '@parley/protocol';
import type { Reading, Risk } from '../../domain/tool.ts';
import { foundAddresses, isServerResult } from './server-tools.ts';

/** `strict` also asks before notes are changed after other notes were read; `off` never asks. */
export type CautionLevel = 'strict' | 'normal' | 'off';

export class Caution {
  readonly #level: CautionLevel;
  readonly #read = new Set<Reading>();
  readonly #hosts: Set<string>;
  readonly #addresses = new Set<string>();

  /** `words` is what the person wrote in this conversation. */
  constructor(level: CautionLevel, words: string) {
    this.#level = level;
    this.#hosts = new Set(level === 'off' ? [] : hostsIn(words));
  }

  get hasReadOutside(): boolean {
    return this.#read.has('outside');
  }

  /** Call it when all results of a reply are known: the model wrote its calls before it saw any of them. */
  note(reads: Reading | undefined, addresses: readonly string[] = []): void {
    if (reads !== undefined) this.#read.add(reads);
    for (const address of addresses) if (URL.canParse(address)) this.#addresses.add(plain(new URL(address)));
  }

  /** The results of tools that the service runs are part of the reply. */
  noteReply(content: readonly ContentBlock[]): void {
    for (const block of content.filter(isServerResult)) this.note('outside', foundAddresses(block));
  }

  mustAsk(risk: Risk): boolean {
    if (this.#level === 'off') return false;
    switch (risk.kind) {
      case 'reach':
        return !this.mayReach(new URL(risk.url));
      case 'send':
        return this.#read.size > 0;
      case 'change':
        return this.hasReadOutside || (this.#level === 'strict' && this.#read.size > 0);
      default:
        return risk satisfies never;
    }
  }

  /**
   * Whether a request there can't leak what was read: nothing was, the person has named the host, or the address is
   * exactly as a search returned it.
   */
  mayReach(url: URL): boolean {
    if (this.#level === 'off' || this.#read.size === 0 || this.#addresses.has(plain(url))) return true;
    const host = url.hostname.toLowerCase();
    return [...this.#hosts].some((named) => host === named || host.endsWith(`.${named}`));
  }

  /** Allows the host for the rest of the turn. */
  allow(risk: Risk | undefined): void {
    if (risk?.kind === 'reach') this.#hosts.add(new URL(risk.url).hostname.toLowerCase());
  }

  question({ what }: Risk): string {
    return `${what}? The assistant asks because it has read ${this.#sources()} for this answer.`;
  }

  /** For the model, and for a person who can't be asked. */
  refusal(risk: Risk): string {
    const way =
      risk.kind === 'reach'
        ? `name ${new URL(risk.url).hostname} in their message`
        : 'ask for it in a message of its own';
    return `Not done: ${risk.what}. This answer is based on ${this.#sources()}, so the person has to agree, and nobody can be asked here. They can ${way}, or use the web app.`;
  }

  #sources(): string {
    if (!this.hasReadOutside) return 'private content';
    return this.#read.size > 1 ? 'text from strangers and private content' : 'text from strangers';
  }
}

function plain(url: URL): string {
  const { href } = url;
  return href.replace(/#.*$/s, '');
}

/** The hosts of addresses and of bare names such as example.org. Drops `www.`, because it means the whole site. */
function hostsIn(text: string): readonly string[] {
  const addresses = text.match(/\bhttps?:\/\/[^\s<>"'`]+/gi) ?? [];
  const names = text
    .split(/[^\p{L}\p{N}.-]+/u)
    .map((word) => word.replaceAll(/^[.-]+|[.-]+$/g, ''))
    .filter((word) => word.length <= longestName && /\.\p{L}{2,}$/u.test(word) && !fileEnding.test(word));
  return [...addresses, ...names.map((name) => `http://${name}`)]
    .filter((address) => URL.canParse(address))
    .map((address) => new URL(address).hostname.toLowerCase().replace(/^www\./, ''));
}

const longestName = 253;
/** Endings of files that are also domains: somebody who mentions readme.md doesn't mean a server. */
const fileEnding = /\.(md|py|rs|sh|pl|ps|cc|so|zip|mov)$/i;
