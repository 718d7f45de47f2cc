// Keys that all servers of a cluster derive from their secret, one for each purpose.
import { createHmac } from 'node:crypto';
import type { Config } from '../config/schema.ts';

/** Undefined without a secret. Each server then makes up its own key. */
export function sharedKey(
  { clusterSecret }: Pick<Config, 'clusterSecret'>,
  purpose: 'passkeys' | 'openid' | 'linkedin',
): Buffer | undefined {
  return clusterSecret && createHmac('sha256', clusterSecret.reveal()).update(purpose).digest();
}
