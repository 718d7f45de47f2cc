// Nothing is published before the person has agreed to exactly that text.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { LinkedInHarness } from './harness.ts';

const post = { text: 'Seed swap on 21 February!' };
const silent = (text: string, number: number) => ({ canAsk: false, prompt: { text, number } });
const codeIn = (content: string): string => /"publish ([A-Z2-9]{6})"/.exec(content)?.[1] ?? '';

describe('where the person can be asked', () => {
  it('asks with the full text, even if the tool was allowed for the session [notes.tools.linkedin-confirm]', async () => {
    await using linkedin = await LinkedInHarness.start();

    await linkedin.call('linkedin_post', post);

    expect(linkedin.asked).toEqual([
      {
        tool: 'linkedin_post',
        input: post,
        description: 'Publish a public post on LinkedIn: Seed swap on 21 February!',
        details: { requires_user_interaction: true },
      },
    ]);
    expect(linkedin.remote.posts).toHaveLength(1);
  });

  it.each(['linkedin_post', 'linkedin_post_comment', 'linkedin_reply_comment'])(
    'publishes nothing by %s when it is denied [notes.tools.linkedin-confirm]',
    async (name) => {
      await using linkedin = await LinkedInHarness.start();
      linkedin.decision = { behavior: 'deny', message: 'Not today.' };
      const urns = {
        post_urn: 'urn:li:share:1',
        comment_urn: 'urn:li:comment:(urn:li:share:1,2)',
      };
      const { comment_urn: _, ...comment } = { ...urns, ...post };
      const input = { linkedin_post: post, linkedin_post_comment: comment }[name] ?? { ...urns, ...post };

      expect(await linkedin.refusal(name, input)).toBe(
        'Nothing was published because nobody allowed it. Not today.',
      );
      expect(linkedin.remote.requests).toEqual([]);
    },
  );

  it('publishes the text as the person edited it', async () => {
    await using linkedin = await LinkedInHarness.start();
    linkedin.decision = { behavior: 'allow', scope: 'once', updatedInput: { text: 'Seed swap!' } };

    await linkedin.call('linkedin_post', post);

    expect(linkedin.remote.posts.map(({ commentary }) => commentary)).toEqual(['Seed swap!']);
  });
});

describe('where the person cannot be asked', () => {
  it('returns a preview, and publishes it when the next message contains its code [notes.tools.linkedin-confirm]', async () => {
    await using linkedin = await LinkedInHarness.start();

    const preview = await linkedin.call('linkedin_post', post, silent('Post it', 3));
    expect(preview).toContain('Nothing is published yet.');
    expect(preview).toContain(post.text);
    expect(linkedin.remote.posts).toEqual([]);

    const content = await linkedin.call('linkedin_post', post, silent(`publish ${codeIn(preview)}`, 4));
    expect(content).toContain('Posted to LinkedIn');
    expect(linkedin.remote.posts).toHaveLength(1);
    expect(linkedin.asked).toEqual([]);
  });

  it.each<[string, (code: string) => [typeof post, ReturnType<typeof silent> & { sessionId?: string }]]>([
    ['in the same turn', () => [post, silent('Post it', 3)]],
    ['in the same turn, though the prompt has the code', (code) => [post, silent(`publish ${code}`, 3)]],
    ['with a yes alone', () => [post, silent('Yes, do it', 4)]],
    ['with another text', (code) => [{ text: 'Buy my coins' }, silent(`publish ${code}`, 4)]],
    ['two messages later', (code) => [post, silent(`publish ${code}`, 5)]],
    ['in another session', (code) => [post, { ...silent(`publish ${code}`, 4), sessionId: randomUUID() }]],
    ['with a part of the code', (code) => [post, silent(`publish ${code.slice(0, 5)}`, 4)]],
    ['with the code inside another word', (code) => [post, silent(`publish X${code}`, 4)]],
  ])('publishes nothing %s [notes.tools.linkedin-confirm]', async (_, second) => {
    await using linkedin = await LinkedInHarness.start();
    const code = codeIn(await linkedin.call('linkedin_post', post, silent('Post it', 3)));
    const [input, context] = second(code);

    expect(await linkedin.call('linkedin_post', input, context)).toContain('Nothing is published yet.');
    expect(linkedin.remote.posts).toEqual([]);
  });

  it('accepts a code once', async () => {
    await using linkedin = await LinkedInHarness.start();
    const code = codeIn(await linkedin.call('linkedin_post', post, silent('Post it', 3)));
    await linkedin.call('linkedin_post', post, silent(code.toLowerCase(), 4));

    expect(await linkedin.call('linkedin_post', post, silent(code, 4))).toContain(
      'Nothing is published yet.',
    );
    expect(linkedin.remote.posts).toHaveLength(1);
  });

  it('publishes at once when confirmation is off, but not after reading text from strangers [notes.tools.linkedin-confirm]', async () => {
    await using linkedin = await LinkedInHarness.start({ confirm: false });

    const context = { ...silent('Post it', 3), hasReadOutside: true };
    expect(await linkedin.call('linkedin_post', post, context)).toContain('Nothing is published yet.');
    expect(linkedin.remote.posts).toEqual([]);
    expect(await linkedin.call('linkedin_post', post, silent('Post it', 3))).toContain('Posted');
  });
});
