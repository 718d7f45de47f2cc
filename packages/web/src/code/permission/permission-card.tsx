// A question of the program: what exactly it wants to do, and the answers that one can give.
import { useMemo, useState } from 'react';
import { useShortcuts } from '../../app/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { record, text } from '../model/read.ts';
import { describeTool, readableName, shortPath } from '../tools/describe-tool.ts';
import { ToolInput } from '../tools/tool-body.tsx';
import { answerKeys, answerRow, CardFrame, type CardProps, DenyForm, Key } from './card-frame.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionForm } from './question-form.tsx';

export function PermissionCard(props: CardProps) {
  switch (props.request.tool_name) {
    case 'AskUserQuestion':
      return <QuestionForm {...props} />;
    case 'ExitPlanMode':
      return <PlanCard {...props} />;
    default:
      return <ToolPermission {...props} />;
  }
}

function ToolPermission({ request, workingDir, waiting, onAnswer }: CardProps) {
  const input = record(request.tool_input);
  const description = describeTool(request.tool_name, input, workingDir);
  const touched = text(request['blocked_path']);
  const [isDenying, setDenying] = useState(false);
  const answer = useMemo(() => {
    const base = {
      type: 'permission_response',
      requestId: request.request_id,
      toolName: request.tool_name,
    } as const;
    return {
      allow: (alwaysAllow: boolean) => onAnswer({ ...base, behavior: 'allow', alwaysAllow }),
      deny: (message: string) =>
        onAnswer({ ...base, behavior: 'deny', alwaysAllow: false, ...(message !== '' && { message }) }),
    };
  }, [request, onAnswer]);
  useShortcuts(
    useMemo(
      () => [
        ...answerKeys('A', 'Allow once', () => answer.allow(false)),
        ...answerKeys('S', 'Allow for this session', () => answer.allow(true)),
        ...answerKeys('D', 'Deny', () => setDenying(true)),
      ],
      [answer],
    ),
  );
  return (
    <CardFrame
      title={`Allow ${readableName(request.tool_name)}?`}
      words={text(input['description']) ?? (description.target === '' ? request.description : undefined)}
      waiting={waiting}
    >
      <div className="overflow-hidden rounded-lg border border-line bg-paper">
        {description.shape === 'edit' && (
          <p className="truncate border-line border-b px-3 py-1.5 font-mono text-xs">{description.target}</p>
        )}
        <ToolInput shape={description.shape} input={input} />
      </div>
      {touched !== undefined && (
        <p className="text-soft text-xs">
          It touches <code className="break-words font-mono">{shortPath(touched, workingDir)}</code>
        </p>
      )}
      {isDenying ? (
        <DenyForm onDeny={answer.deny} onBack={() => setDenying(false)} />
      ) : (
        <div className={answerRow}>
          <Button look="primary" className="min-h-11 @md:min-h-10" onClick={() => answer.allow(false)}>
            Allow once <Key>A</Key>
          </Button>
          <Button
            className="order-last col-span-2 min-h-11 @md:order-none @md:min-h-10"
            onClick={() => answer.allow(true)}
          >
            Allow for this session <Key>S</Key>
          </Button>
          <Button look="danger" className="min-h-11 @md:min-h-10" onClick={() => setDenying(true)}>
            Deny <Key>D</Key>
          </Button>
        </div>
      )}
    </CardFrame>
  );
}
