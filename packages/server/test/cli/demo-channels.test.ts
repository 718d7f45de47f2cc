// `parley serve --demo-channels` as a newcomer runs it: a page that imitates Telegram and Discord, with the real bots and
// the real `claude` program.
import { describe, expect, it } from 'vitest';
import { freshPlace, parley } from './parley-process.ts';

interface View {
  readonly messages: readonly {
    readonly id: string;
    readonly isOwn: boolean;
    readonly runs: readonly { readonly text: string }[];
    readonly buttons: readonly (readonly { readonly label: string; readonly data: string }[])[];
  }[];
}
type Views = Readonly<Record<'telegram' | 'discord', View>>;

/** What the page shows, after each change. */
async function* views(page: string, signal: AbortSignal): AsyncGenerator<Views, void, undefined> {
  const { body } = await fetch(`${page}/events`, { signal });
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) yield JSON.parse(event.replace(/^data: /, '')) as Views;
  }
}

/** Resolves when both bots answer. */
async function serveChats(place: ReturnType<typeof freshPlace>) {
  const { program } = await place.serve(['--demo-channels']);
  const [, page = ''] = await program.says(/Chats +(http:\/\/127\.0\.0\.1:\d+)/);
  await program.says(/the Telegram bot is running[\s\S]*the Discord bot is running/);
  return { program, page };
}

async function viewWhere(page: string, holds: (views: Views) => boolean): Promise<Views> {
  for await (const view of views(page, AbortSignal.timeout(90_000))) if (holds(view)) return view;
  throw new Error('the page ended');
}

async function post(page: string, path: string, body: unknown): Promise<{ text?: string }> {
  const response = await fetch(`${page}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: page },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { text?: string };
}

const textOf = ({ runs }: View['messages'][number]) => runs.map(({ text }) => text).join('');
const answersIn = ({ messages }: View) =>
  messages.filter((message) => !message.isOwn && !textOf(message).startsWith('Working …'));

describe('parley serve --demo-channels', () => {
  it('opens a page where both bots answer and their buttons work', async () => {
    const place = freshPlace(parley);
    const { program, page } = await serveChats(place);
    // Their sessions are those of the first person, who finds them in the browser.
    expect(await (await fetch(page)).text()).toContain('You write as Sebastian,');
    const services = ['telegram', 'discord'] as const;
    for (const service of services)
      await post(page, '/say', { service, text: 'Summarize key files in the workspace' });
    const both = (count: number) => (view: Views) =>
      services.every((service) => answersIn(view[service]).length >= count);
    const first = await viewWhere(page, both(1));
    for (const service of services)
      expect(answersIn(first[service]).map(textOf).join()).toMatch(/reading list/i);

    for (const service of services) await post(page, '/say', { service, text: '/sessions' });
    const second = await viewWhere(page, both(2));
    for (const service of services) {
      const list = answersIn(second[service])[1];
      const data = list?.buttons[0]?.[0]?.data;
      const { text } = await post(page, '/press', { service, messageId: list?.id, data });
      expect(text).toContain('This chat now continues');
    }
    expect((await program.stop()).code).toBe(0);

    // The next start keeps the old messages and receives new ones.
    const next = await serveChats(place);
    for (const service of services) await post(next.page, '/say', { service, text: '/status' });
    const third = await viewWhere(next.page, both(1));
    for (const service of services)
      expect(answersIn(third[service]).map(textOf).join()).toContain('Session: Summarize key files');
    await next.program.stop();
  }, 150_000);

  it('works in demo mode only', async () => {
    const { code, stderr } = await freshPlace(parley).run(['serve', '--demo-channels'], { PARLEY_DEMO: '0' });
    expect(code).toBe(1);
    expect(stderr).toContain('The flag --demo-channels only works in demo mode');
  });
});
