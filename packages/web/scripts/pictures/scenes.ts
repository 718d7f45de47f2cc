// What the animation and the video show. docs/getting-started.md describes the video for people who don't watch it.
import type { Page } from 'playwright-core';
import * as chat from '../../test/e2e/chat-page.ts';
import * as code from '../../test/e2e/code-pages.ts';
import type { Parley } from '../../test/e2e/harness.ts';
import type { Camera } from './film.ts';

export type Scene = (page: Page, film: Camera) => Promise<void>;

const firstPrompt = 'Summarize the key files in the workspace';

/** A recipe opens next to the chat and gets more servings. */
const recipe: Scene = async (page, film) => {
  await film.hold(600);
  await film.click(page.getByText('Kitchen', { exact: true }));
  await film.type(chat.composer(page), 'Show me the Apple Crumble');
  await film.hold(300);
  await chat.composer(page).press('Enter');
  const answer = chat.conversation(page).getByText('35 to cook');
  await film.follow(answer.waitFor().then(() => chat.answered(page)));
  await film.follow(chat.recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor());
  await film.hold(1_200);
  const more = page.getByRole('button', { name: 'More servings' });
  await film.click(more);
  await film.hold(300);
  await more.click();
  await film.hold(1_500);
};

/** Claude Code asks before it changes a file. */
const permission: Scene = async (page, film) => {
  await film.click(page.getByRole('link', { name: 'Claude Code', exact: true }));
  const session = page.getByRole('link', { name: firstPrompt });
  await session.waitFor();
  await film.hold(500);
  await film.click(session);
  await chat.conversation(page).getByText('at a glance').waitFor();
  await film.hold(400);
  await film.type(chat.composer(page), 'Edit README.md: replace tiny with small');
  await film.hold(300);
  await chat.composer(page).press('Enter');
  const allow = page.getByRole('button', { name: /Allow once/ });
  await film.follow(allow.waitFor());
  await film.hold(1_800);
  await film.click(allow);
  const answer = chat.conversation(page).getByText('now says').last();
  await film.follow(answer.waitFor().then(() => chat.answered(page)));
  await film.hold(1_800);
};

/** The files are next to the conversation. */
const files: Scene = async (page, film) => {
  await film.click(page.getByRole('button', { name: 'Files', exact: true }));
  const file = page.getByRole('treeitem', { name: /README\.md/ });
  await file.waitFor();
  await film.hold(800);
  await film.click(file);
  await page.getByRole('heading', { name: 'Reading list' }).first().waitFor();
  await film.hold(1_800);
};

/** One search for everything. */
const search: Scene = async (page, film) => {
  await film.click(page.getByRole('button', { name: 'Search everything' }));
  const field = page.getByRole('combobox').last();
  await field.waitFor();
  await film.type(field, 'crumble');
  await film.follow(
    page
      .getByRole('option', { name: /Apple Crumble/ })
      .first()
      .waitFor(),
  );
  await film.hold(2_000);
};

/** What happens before the film begins. */
export async function prepare(page: Page, parley: Pick<Parley, 'url'>): Promise<void> {
  await code.beginSession(page, parley, firstPrompt);
  await code.hear(page, 'at a glance');
  await chat.answered(page);
}

export const animation: readonly Scene[] = [recipe, permission];
export const video: readonly Scene[] = [recipe, permission, files, search];
