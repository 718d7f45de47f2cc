// The stand-in for LinkedIn is as strict as the real service.
import { describe, expect, it } from 'vitest';
import { type LinkedInStandIn, startLinkedInStandIn } from '../../src/index.ts';

const post = {
  author: 'urn:li:person:mia-782',
  commentary: 'Hello',
  visibility: 'PUBLIC',
  lifecycleState: 'PUBLISHED',
};

describe('the stand-in for LinkedIn', () => {
  it('accepts a post and returns its URN in a header', async () => {
    await using linkedin = await startLinkedInStandIn();
    linkedin.addToken('good');

    const response = await call(linkedin, '/rest/posts', post);

    expect(response.status).toBe(201);
    expect(response.headers.get('x-restli-id')).toBe(linkedin.posts[0]?.urn);
    expect((await call(linkedin, '/rest/posts', post)).status).toBe(422);
  });

  it.each([
    [401, { authorization: 'Bearer bad' }, post],
    [426, { 'linkedin-version': '202401' }, post],
    [426, { 'linkedin-version': '' }, post],
    [400, { 'x-restli-protocol-version': '1.0.0' }, post],
    [403, {}, { ...post, author: 'urn:li:person:somebody-else' }],
    [422, {}, { ...post, visibility: undefined }],
  ])('answers %s to %o', async (status, headers, body) => {
    await using linkedin = await startLinkedInStandIn();
    linkedin.addToken('good');

    const response = await call(linkedin, '/rest/posts', body, headers);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, message: expect.any(String) });
    expect(linkedin.posts).toEqual([]);
  });

  it('separates comments from replies and requires encoded URNs', async () => {
    await using linkedin = await startLinkedInStandIn();
    linkedin.addToken('good');
    await call(linkedin, '/rest/posts', post);
    const urn = linkedin.posts[0]?.urn ?? '';
    const { commentUrn } = linkedin.addComment(urn, 'urn:li:person:jonas', 'When?');
    const reply = {
      actor: post.author,
      object: urn,
      message: { text: 'At ten' },
      parentComment: commentUrn,
    };
    const path = (of: string) =>
      `/rest/socialActions/${encodeURIComponent(of).replaceAll('(', '%28').replaceAll(')', '%29')}/comments`;

    expect((await call(linkedin, `/rest/socialActions/${commentUrn}/comments`, reply)).status).toBe(404);
    expect((await call(linkedin, path(commentUrn), reply)).status).toBe(201);
    expect((await call(linkedin, path(urn), reply)).status).toBe(422);
    expect((await call(linkedin, path('urn:li:share:1'), reply)).status).toBe(404);
    expect(await (await call(linkedin, path(urn))).json()).toMatchObject({
      elements: [{ commentUrn, message: { text: 'When?' } }],
      paging: { total: 1 },
    });
  });

  it('redeems a code once, for the redirect URI that it was made for', async () => {
    await using linkedin = await startLinkedInStandIn();
    const consent = async () => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: 'client',
        redirect_uri: 'http://localhost/back',
        state: 's',
      });
      const page = await fetch(`${linkedin.url}/oauth/v2/authorization?${query.toString()}`, {
        redirect: 'manual',
      });
      return new URL(page.headers.get('location') ?? '').searchParams;
    };
    const redeem = (code: string, redirect_uri = 'http://localhost/back', client_secret = 'client-secret') =>
      fetch(`${linkedin.url}/oauth/v2/accessToken`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          redirect_uri,
          client_id: 'client',
          client_secret,
        }),
      });
    const code = (await consent()).get('code') ?? '';

    expect((await redeem(code, undefined, 'wrong')).status).toBe(401);
    expect(await (await redeem(code)).json()).toMatchObject({
      access_token: expect.any(String),
      expires_in: 5_184_000,
      refresh_token: expect.any(String),
    });
    expect((await redeem(code)).status).toBe(400);
    expect((await redeem((await consent()).get('code') ?? '', 'http://localhost/other')).status).toBe(400);
    linkedin.refuseConsent();
    expect((await consent()).get('error')).toBe('user_cancelled_authorize');
  });
});

function call(
  linkedin: LinkedInStandIn,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(linkedin.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: 'Bearer good',
      'linkedin-version': '202606',
      'x-restli-protocol-version': '2.0.0',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}
