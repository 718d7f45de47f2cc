// Keys that all servers of a cluster derive from their secret, one for each purpose.
import { createHmac } from 'node:crypto';
import type { Config } from '../config/schema.ts';

/** Undefined if there is no secret: then each server makes up its own. */
export function sharedKey(
  { clusterSecret }: Pick<Config, 'clusterSecret'>,
  purpose: 'passkeys' | 'openid' | 'linkedin',
): Buffer | undefined {
  return clusterSecret && createHmac('sha256', clusterSecret.reveal()).update(purpose).digest();
}
