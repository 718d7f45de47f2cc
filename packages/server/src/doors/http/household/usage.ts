// `/api/usage`: tokens and cost. You see your own sessions and totals; whoever manages budgets sees everybody's totals.
import { ErrorBody, UsageOverview } from '@parley/protocol';
import { z } from 'zod';
import type { Clock } from '../../../domain/clock.ts';
import type { People } from '../../../domain/people.ts';
import type { UsageBook } from '../../../domain/usage-book.ts';
import type { App } from '../app.ts';
import { responses } from '../openapi/responses.ts';

export interface UsageServices {
  readonly usage: UsageBook;
  readonly people: People;
  readonly clock: Clock;
}

const dayMs = 86_400_000;
const maxSessions = 20;

export function usageRoutes(app: App, { usage, people, clock }: UsageServices): void {
  app.get(
    '/api/usage',
    {
      schema: {
        tags: ['usage'],
        summary: 'Tokens and cost by day, person, model and session',
        querystring: z.object({ days: z.coerce.number<string>().int().min(1).max(366).default(30) }),
        response: responses(UsageOverview, ErrorBody),
      },
    },
    async ({ person, query }, reply) => {
      const since = clock.now() - query.days * dayMs;
      const [days, sessions] = await Promise.all([
        usage.byDay(since),
        usage.bySession(person, since, maxSessions),
      ]);
      const isShown = (of: string) => of === person || people.may(person, 'budgets');
      const shown = { days: days.filter((day) => isShown(day.person)), sessions: [...sessions] };
      // Skips the response schema: checking the thousands of rows of a year would block the server for 20 ms.
      return reply.serializer(JSON.stringify).send(shown satisfies UsageOverview);
    },
  );
}
