// Estimates how easy a password is to guess. Runs in a separate thread, because a long password takes seconds and the
// dictionaries take 60 MB. Plain JavaScript, because Node also starts it from the sources.
import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';

const estimate = new ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: {
    ...english.translations,
    warnings: names(english.translations.warnings),
    suggestions: names(english.translations.suggestions),
  },
});
parentPort.on('message', ({ id, request: { password, personal } }) => {
  const { score, feedback } = estimate.check(password, [...personal]);
  const { warning, suggestions } = feedback;
  parentPort.postMessage({ id, result: { score, warning, suggestions } }, []);
});

/** Replaces the texts with their names, because people read our own texts. */
function names(texts) {
  return Object.fromEntries(Object.keys(texts).map((name) => [name, name]));
}
