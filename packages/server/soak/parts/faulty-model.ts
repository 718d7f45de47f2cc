// A model that fails once in the way a prompt asks for, and answers when the prompt is sent again.
import {
  type AnthropicStandIn,
  cut,
  lastUserText,
  malformedEvent,
  noFallback,
  overloaded,
  type Reply,
  rateLimited,
  reply,
  say,
  startAnthropicStandIn,
  wait,
} from '@parley/stand-ins';

export const faults = ['429', 'overloaded', 'slow', 'cut', 'broken'] as const;
export type Fault = (typeof faults)[number];

/** The answer contains the number of the prompt. */
export function promptText(number: number, fault?: Fault): string {
  return `Number ${number}.${fault ? ` Fault: ${fault}.` : ''}`;
}

export async function startFaultyModel(): Promise<AnthropicStandIn> {
  const model = await startAnthropicStandIn({ fallback: noFallback, record: { requests: 10 } });
  const done = new Set<string>();
  model
    .script(() => true)
    .always(({ body }) => {
      const [asked = '', number = '', fault] =
        /Number (\d+)\.(?: Fault: (\w+)\.)?/.exec(lastUserText(body)) ?? [];
      const answer = reply(say('Answer ', 'to ', 'number ', `${number}.`));
      if (fault === undefined || done.has(asked)) return answer;
      // More than can run at the same time.
      if (done.size > 1_000) done.clear();
      done.add(asked);
      return failing(fault as Fault, answer);
    });
  return model;
}

function failing(fault: Fault, answer: Reply): Reply {
  switch (fault) {
    case '429':
      return rateLimited(1);
    case 'overloaded':
      return overloaded();
    case 'slow':
      return reply(say('Answer '), wait(500), say('comes '), wait(500), say('slowly.'));
    case 'cut':
      return reply(say('Ans'), cut());
    case 'broken':
      return reply(malformedEvent());
    default:
      fault satisfies never;
      return answer;
  }
}
