// Tokens and cost. Totals per person cover the whole household; the session list is your own.
import { ErrorBody, UsageOverview } from '@parley/protocol';
import { z } from 'zod';
import type { Clock } from '../../../domain/clock.ts';
import type { UsageBook } from '../../../domain/usage-book.ts';
import type { App } from '../app.ts';
import { answers } from '../openapi/answers.ts';

export interface UsageServices {
  readonly usage: UsageBook;
  readonly clock: Clock;
}

const dayMs = 86_400_000;
const mostSessions = 20;

export function usageRoutes(app: App, { usage, clock }: UsageServices): void {
  app.get(
    '/api/usage',
    {
      schema: {
        tags: ['usage'],
        summary: 'Tokens and cost by day, person, model and session',
        querystring: z.object({ days: z.coerce.number<string>().int().min(1).max(366).default(30) }),
        response: answers(UsageOverview, ErrorBody),
      },
    },
    async ({ person, query }) => {
      const since = clock.now() - query.days * dayMs;
      const [days, sessions] = await Promise.all([
        usage.byDay(since),
        usage.bySession(person, since, mostSessions),
      ]);
      return { days: [...days], sessions: [...sessions] };
    },
  );
}
