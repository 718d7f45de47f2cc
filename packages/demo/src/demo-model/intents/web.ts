// The web: searching it, reading a page, answering from the results. The model reports what pages say and never obeys it.
import { type ReplyPart, sayInWords } from '../../anthropic/reply.ts';
import type { Intent } from '../intent.ts';
import { bullets, sorry } from '../phrasing.ts';
import { firstLines, unquote } from '../reading.ts';
import type { DoneCall, Scene } from '../scene.ts';
import { call, callsTo, lastCall, offers } from '../tool-calls.ts';

const searchTheWeb: Intent = {
  name: 'search the web',
  example: 'Search the web for rye bread',
  needs: [['web_search']],
  next(scene) {
    const wanted =
      /\b(?:search|look)\b(?: on)? the (?:web|internet|net) for (.+)/is.exec(scene.said)?.[1] ??
      /\b(?:search|look up|find) (.+?) (?:on|in) the (?:web|internet|net)\b/is.exec(scene.said)?.[1];
    if (wanted === undefined) return undefined;
    const query = clean(wanted);
    const searched = lastCall(scene, 'web_search');
    if (searched === undefined) return [call(scene, 'web_search', { query })];
    if (searched.failed) return [sorry('The search failed', searched)];
    const found = resultsIn(searched);
    if (found.length === 0) return [sayInWords(`I found nothing about “${query}” on the web.`)];
    const list = bullets(found.map(({ title, url, snippet }) => `[${title}](${url}): ${snippet}`));
    return [sayInWords(`Here is what I found on the web about “${query}”:\n\n${list}`)];
  },
};

const askTheWeb: Intent = {
  name: 'ask the web',
  example: 'What does the web say about Willowbrook?',
  needs: [['web_search'], ['web_fetch']],
  next(scene) {
    const wanted =
      /\bthe (?:web|internet|net) (?:say|says|know|knows|tell|tells)(?: me)? (?:about|of|on) (.+)/is.exec(
        scene.said,
      )?.[1];
    if (wanted === undefined) return undefined;
    const query = clean(wanted);
    const searched = lastCall(scene, 'web_search');
    if (searched === undefined) return [call(scene, 'web_search', { query })];
    if (searched.failed) return [sorry('The search failed', searched)];
    const [best] = resultsIn(searched);
    if (best === undefined) return [sayInWords(`I found nothing about “${query}” on the web.`)];
    return readAndReport(scene, best.url);
  },
};

const readPage: Intent = {
  name: 'read a web page',
  example: 'Read the first result',
  needs: [['web_fetch']],
  next(scene) {
    const url = /\bhttps?:\/\/[^\s<>"“”]+/i.exec(scene.said)?.[0]?.replace(/[.,!?)]+$/, '');
    if (url !== undefined) return readAndReport(scene, url);
    const nth = /\b(?:read|open|show)\b.*\b(first|second|third)\b.*\b(?:result|hit|link|page)\b/is.exec(
      scene.said,
    )?.[1];
    if (nth === undefined) return undefined;
    const searched = callsTo(scene.everDone, 'web_search').at(-1);
    if (searched === undefined)
      return [sayInWords(`Search for something first, such as “${searchTheWeb.example}”.`)];
    const found = resultsIn(searched)[['first', 'second', 'third'].indexOf(nth.toLowerCase())];
    return found === undefined
      ? [sayInWords(`The search had no ${nth.toLowerCase()} result.`)]
      : readAndReport(scene, found.url);
  },
};

export const webIntents: readonly Intent[] = [askTheWeb, searchTheWeb, readPage];

function readAndReport(scene: Scene, url: string): readonly ReplyPart[] {
  const fetched = lastCall(scene, 'web_fetch');
  if (fetched === undefined) return offers(scene, 'web_fetch') ? [call(scene, 'web_fetch', { url })] : [];
  if (fetched.failed) return [sorry(`I couldn't read ${url}`, fetched)];
  const page = contentOf(fetched);
  const title = /^Title: (.+)$/m.exec(page)?.[1];
  const text = page.replaceAll(/^(?:Address|Title): .*$/gm, '').trim();
  return [
    sayInWords(`${title === undefined ? 'The page' : `“${title}”`} (${url}) says:\n\n${firstLines(text, 4)}`),
  ];
}

type Found = { readonly title: string; readonly url: string; readonly snippet: string };

function resultsIn(searched: DoneCall): readonly Found[] {
  const entries = contentOf(searched).matchAll(/^\d+\. (.+)\n\s+(https?:\S+)(?:\n\s+(.+))?$/gm);
  return [...entries].map(([, title = '', url = '', snippet = '']) => ({ title, url, snippet }));
}

/** The text between the marks for untrusted content, or everything if there are none. */
function contentOf({ result }: DoneCall): string {
  return /^----- untrusted content \S+ -----\n([\s\S]*)\n----- end of untrusted/m.exec(result)?.[1] ?? result;
}

function clean(words: string): string {
  return unquote(words.replace(/[?.!\s]+$/, ''));
}
