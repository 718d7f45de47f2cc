// Tokens with which a notification answers a permission. Each is for one person, one device and one permission, and nothing
// has to be stored for it: a permission settles once, so a token works once, on any server.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { PermissionId, PersonName, SessionId } from '@parley/protocol';
import { z } from 'zod';
import type { ServerKey } from './encryption.ts';

const Content = z.object({
  device: z.string(),
  person: PersonName,
  session: SessionId,
  permission: PermissionId,
  expiresAt: z.number(),
});
type Content = z.infer<typeof Content>;

const validMs = 24 * 60 * 60 * 1_000;

export interface DecisionTokens {
  make(about: Omit<Content, 'expiresAt'>, now: number): string;
  /** Undefined unless we made it less than a day ago. */
  read(token: string, now: number): Content | undefined;
}

export function createDecisionTokens({ privateKey }: ServerKey): DecisionTokens {
  const secret = privateKey.export({ type: 'pkcs8', format: 'der' });
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'Parley: decisions on notifications', 32));
  const seal = (content: string) => createHmac('sha256', key).update(content).digest();
  return {
    make(about, now) {
      const content = Buffer.from(JSON.stringify({ ...about, expiresAt: now + validMs })).toString(
        'base64url',
      );
      return `${content}.${seal(content).toString('base64url')}`;
    },
    read(token, now) {
      const [content = '', mark = ''] = token.split('.');
      const given = Buffer.from(mark, 'base64url');
      const wanted = seal(content);
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const read = Content.parse(JSON.parse(Buffer.from(content, 'base64url').toString()));
      return read.expiresAt > now ? read : undefined;
    },
  };
}
