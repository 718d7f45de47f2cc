// A plan to approve before anything is changed.
import { useMemo, useState } from 'react';
import { useShortcuts } from '../../app/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { record, text } from '../model/read.ts';
import { answerKeys, answerRow, CardFrame, type CardProps, DenyForm, Key } from './card-frame.tsx';

export function PlanCard({ request, waiting, onAnswer }: CardProps) {
  const [isDenying, setDenying] = useState(false);
  const plan = text(record(request.tool_input)['plan']);
  const answer = useMemo(() => {
    const base = { type: 'permission_response', requestId: request.request_id, alwaysAllow: false } as const;
    return {
      approve: () => onAnswer({ ...base, behavior: 'allow' }),
      refuse: (message: string) =>
        onAnswer({ ...base, behavior: 'deny', ...(message !== '' && { message }) }),
    };
  }, [request, onAnswer]);
  useShortcuts(
    useMemo(
      () => [
        ...answerKeys('A', 'Approve the plan', answer.approve),
        ...answerKeys('D', 'Keep planning', () => setDenying(true)),
      ],
      [answer],
    ),
  );
  return (
    <CardFrame title="Approve this plan?" waiting={waiting}>
      {plan !== undefined && (
        <div className="rounded-lg border border-line bg-paper px-4 py-3 text-sm">
          <Markdown>{plan}</Markdown>
        </div>
      )}
      {plan === undefined && <p className="text-soft text-sm">The plan is in the message above.</p>}
      {isDenying ? (
        <DenyForm onDeny={answer.refuse} onBack={() => setDenying(false)} />
      ) : (
        <div className={answerRow}>
          <Button look="primary" className="min-h-11 @md:min-h-10" onClick={answer.approve}>
            Approve <Key>A</Key>
          </Button>
          <Button className="min-h-11 @md:min-h-10" onClick={() => setDenying(true)}>
            Keep planning <Key>D</Key>
          </Button>
        </div>
      )}
    </CardFrame>
  );
}
