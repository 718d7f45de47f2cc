// Finds a note by what a person calls it ("my shopping list"): lists the folder, then searches. Called again after each
// step, like an intent.
import type { ReplyPart } from '../../anthropic/reply.ts';
import { filesInListing, pathsIn, slug, unquote } from '../reading.ts';
import type { Scene } from '../scene.ts';
import { call, lastCall, offers } from '../tool-calls.ts';

export type Lookup =
  | { readonly state: 'found'; readonly path: string }
  | { readonly state: 'looking'; readonly parts: readonly ReplyPart[] }
  | { readonly state: 'nowhere'; readonly name: string };

export function lookUpNote(scene: Scene, called: string): Lookup {
  const [path] = pathsIn(called);
  if (path !== undefined) return { state: 'found', path };
  const name = nameOf(called);
  const listed = lastCall(scene, 'list_directory');
  const inFolder = bestMatch(filesInListing(listed?.result ?? ''), name);
  if (inFolder !== undefined) return { state: 'found', path: inFolder };
  if (listed === undefined && offers(scene, 'list_directory')) {
    return { state: 'looking', parts: [call(scene, 'list_directory', { path: '.' })] };
  }
  const searched = lastCall(scene, 'search_files');
  if (searched === undefined && offers(scene, 'search_files')) {
    return { state: 'looking', parts: [call(scene, 'search_files', { query: name, path: '.' })] };
  }
  const hits = searched === undefined || searched.failed ? [] : filesInListing(searched.result);
  const hit = bestMatch(hits, name) ?? hits[0];
  return hit === undefined ? { state: 'nowhere', name } : { state: 'found', path: hit };
}

function nameOf(called: string): string {
  const words = unquote(called.replace(/[?.!]+$/, '')).replace(
    /^(?:(?:my|the|our|a|note|file|called|about|on) )+/i,
    '',
  );
  return words.replace(/ (?:note|notes|file)$/i, '');
}

function bestMatch(files: readonly string[], name: string): string | undefined {
  const wanted = slug(name);
  return (
    files.find((file) => slug(file.replace(/\.\w+$/, '').replace(/^.*\//, '')) === wanted) ??
    files.find((file) => slug(file).includes(wanted))
  );
}
