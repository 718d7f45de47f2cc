// Lets somebody in who has proven who they are: starts the login, sets its cookies, and records it.
import { say } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AuditLog } from '../../../domain/audit-log.ts';
import { isSecure, originOf } from '../request-facts.ts';
import { cookie } from './cookie.ts';
import { deviceOf } from './device.ts';
import type { KnownBrowsers } from './known-browsers.ts';
import type { Logins, Proof } from './logins.ts';

/** Replaces the caller of the request, and ends its previous login. */
export type Enter = (request: FastifyRequest, reply: FastifyReply, proof: Proof) => Promise<void>;

export interface EnterParts {
  readonly logins: Logins;
  readonly browsers: KnownBrowsers;
  readonly audit: AuditLog;
}

export function createEnter({ logins, browsers, audit }: EnterParts): Enter {
  return async (request, reply, proof) => {
    const before = request.caller?.login;
    const device = deviceOf(request.headers['user-agent']);
    const { secret, caller } = await logins.start(originOf(request), proof, device);
    request.caller = caller;
    const lifetime = { seconds: logins.seconds, secure: isSecure(request) };
    reply.header('set-cookie', cookie('rv_session', secret, lifetime));
    await browsers.remember(request, reply, secret);
    const person = proof.person;
    audit.record({
      action: 'login',
      person,
      subject: device,
      detail: kinds[proof.kind],
      address: request.ip,
    });
    if (before !== undefined) await logins.end(before);
  };
}

const kinds = {
  family: say`family password`,
  password: say`own password`,
  passkey: say`passkey`,
  openid: say`OpenID Connect`,
} as const;
