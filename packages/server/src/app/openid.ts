// Builds the way to the identity provider, if one is configured.
import { createOpenId } from '../accounts/openid.ts';
import type { Outgoing } from '../basics/outgoing.ts';
import type { Config } from '../config/schema.ts';
import type { OpenId } from '../domain/openid.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { hostAndPort } from '../tools/web/web-address.ts';

export function openOpenId({ openid }: Pick<Config, 'openid'>, outgoing: Outgoing): OpenId | undefined {
  const { issuer, clientId, clientSecret, name } = openid;
  if (issuer === undefined || clientId === undefined) return undefined;
  return createOpenId({
    name: name ?? new URL(issuer).hostname,
    issuer,
    clientId,
    ...(clientSecret && { clientSecret: clientSecret.reveal() }),
    // The issuer is configured, so it may be anywhere.
    http: createGuardedFetch({ exceptions: [hostAndPort(new URL(issuer))], outgoing }),
  });
}
