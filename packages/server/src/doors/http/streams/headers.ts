// What the policy has set, for a response that is written past the framework.
import type { FastifyReply } from 'fastify';

export function headersOf(reply: FastifyReply): Record<string, string | string[] | number> {
  return Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
