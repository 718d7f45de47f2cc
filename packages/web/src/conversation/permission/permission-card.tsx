// Claude needs a permission: who asks, exactly what would run, and the possible answers. Questions and plans are
// permissions too.

import {
  type Decision,
  needsAnswerEachTime,
  type PendingPermission,
  type PermissionRequest,
  type PermissionRule,
  suggestedRules,
} from '@parley/protocol';
import { ShieldQuestionMark } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { KeysOnButton } from '../../app/keys.tsx';
import { useShortcuts } from '../../app/shortcuts.ts';
import { Trans } from '../../i18n/trans.tsx';
import { t } from '../../i18n/translate.ts';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { answerName, useStoredText } from '../stored-text.ts';
import { describeTool, readableName, shortPath } from '../tools/describe-tool.ts';
import { record, text } from '../tools/read.ts';
import { ToolInput } from '../tools/tool-body.tsx';
import { QuestionForm } from './question-form.tsx';

export interface CardProps {
  readonly permission: PendingPermission;
  /** Who asks: Claude, an assistant, or a subagent. */
  readonly asker: string;
  readonly workingDir: string | undefined;
  /** How many permissions are open, including this one. */
  readonly waiting: number;
  readonly isDeciding: boolean;
  readonly onDecide: (decision: Decision) => void;
}

export function PermissionCard(props: CardProps) {
  switch (props.permission.request.tool) {
    case 'AskUserQuestion':
      return (
        <Card {...props} title={t('{asker} has a question', { asker: props.asker })}>
          <QuestionForm {...props} />
        </Card>
      );
    case 'ExitPlanMode':
      return <PlanCard {...props} />;
    default:
      return <ToolPermission {...props} />;
  }
}

function ToolPermission(props: CardProps) {
  const { permission, workingDir } = props;
  const { request } = permission;
  const wider = useMemo(() => widerAnswers(request), [request]);
  const input = record(request.input);
  const { shape, target } = describeTool(request.tool, input, workingDir);
  const touched = text(request.details?.['blocked_path']);
  const about =
    text(input['description']) ?? (target === '' || shape === 'other' ? request.description : undefined);
  return (
    <Card
      {...props}
      lead={needsPermission(props)}
      title={t('Allow {tool}?', { tool: readableName(request.tool) })}
      about={about}
    >
      <div className="overflow-hidden rounded-lg border border-line bg-paper">
        {shape === 'edit' && (
          <p className="truncate border-line border-b px-3 py-1.5 font-mono text-xs">{target}</p>
        )}
        <ToolInput shape={shape} input={input} />
      </div>
      {touched !== undefined && (
        <p className="text-soft text-xs">
          <Trans
            message="Affects <path>{path}</path>"
            values={{ path: shortPath(touched, workingDir) }}
            tags={{
              path: (
                <code className="wrap-anywhere rounded bg-code box-decoration-clone px-1 py-0.5 font-mono text-ink" />
              ),
            }}
          />
        </p>
      )}
      <Answers {...props} allow={t('Allow once')} deny={t('Deny')} wider={wider} />
    </Card>
  );
}

/** The narrower answer comes first. */
function widerAnswers(request: PermissionRequest): readonly WiderAnswer[] {
  if (needsAnswerEachTime(request)) return noWider;
  const rules = suggestedRules(request);
  return [
    ...(rules.length > 0 ? [{ letter: 'R', scope: 'suggested', does: allowMatching(rules) } as const] : []),
    { letter: 'S', scope: 'session', does: allowWhole(request.tool) },
  ];
}

/** Says in words what rules such as `Bash(npm test *)` cover. */
function allowMatching(rules: readonly PermissionRule[]): string {
  const what = rules.map(({ toolName, ruleContent }) =>
    toolName === 'Bash' ? ruleContent.replace(/[: ]\*$/, ' …') : `${readableName(toolName)}(${ruleContent})`,
  );
  return t('Allow “{what}” for this session', { what: what.join(', ') });
}

function allowWhole(tool: string): string {
  return tool === 'Bash'
    ? t('Allow all Bash commands for this session')
    : t('Allow {tool} for this session', { tool: readableName(tool) });
}

/** A plan to approve before anything changes. */
function PlanCard(props: CardProps) {
  const plan = text(record(props.permission.request.input)['plan']);
  return (
    <Card {...props} lead={needsPermission(props)} title={t('Approve this plan?')}>
      {plan === undefined ? (
        <p className="text-soft text-sm">{t('The plan is in the message above.')}</p>
      ) : (
        <div className="rounded-lg border border-line bg-paper px-4 py-3 text-sm">
          <Markdown>{plan}</Markdown>
        </div>
      )}
      <Answers {...props} allow={t('Approve')} deny={t('Keep planning')} />
    </Card>
  );
}

function needsPermission({ asker }: CardProps): string {
  return t('{asker} needs your permission', { asker });
}

function Card({
  lead,
  title,
  about,
  waiting,
  children,
}: Pick<CardProps, 'waiting'> & {
  lead?: string;
  title: string;
  about?: string | undefined;
  children: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className="@container grid max-h-[55vh] gap-3 overflow-y-auto rounded-card border-2 border-accent/50 bg-raised p-4 shadow-lg"
    >
      <div className="flex items-start gap-2.5">
        <ShieldQuestionMark size={19} className="mt-0.5 shrink-0 text-accent" aria-hidden />
        <div className="min-w-0 flex-1">
          {lead !== undefined && <p className="text-faint text-xs">{lead}</p>}
          <h2 className="break-words font-semibold">{title}</h2>
          <span role="alert" className="sr-only">
            {lead === undefined ? title : t('{lead}: {title}', { lead, title })}
          </span>
          {about !== undefined && <p className="break-words text-soft text-sm">{about}</p>}
        </div>
        {waiting > 1 && (
          <span className="shrink-0 text-faint text-xs">{t('1 of {count}', { count: waiting })}</span>
        )}
      </div>
      {children}
    </section>
  );
}

/** Side by side where the card is wide, else two in a row: the card can be narrow even on a wide screen. */
const row = 'grid grid-cols-2 gap-2 @md:flex @md:flex-wrap';
const tall = 'min-h-11 @md:min-h-10';

/** An answer that also counts for later calls. */
interface WiderAnswer {
  readonly letter: 'R' | 'S';
  readonly scope: 'suggested' | 'session';
  readonly does: string;
}

const noWider: readonly WiderAnswer[] = [];

function Answers({
  isDeciding,
  allow,
  deny,
  wider = noWider,
  permission,
  onDecide,
}: Pick<CardProps, 'isDeciding' | 'permission' | 'onDecide'> & {
  allow: string;
  deny: string;
  wider?: readonly WiderAnswer[];
}) {
  const [isDenying, setDenying] = useState(false);
  const answers = useMemo(
    () => [{ letter: 'A', scope: 'once', does: allow } as const, ...wider],
    [allow, wider],
  );
  useShortcuts(
    useMemo(
      () => [
        ...answers.map(({ letter, scope, does }) => ({
          keys: `Alt+${letter}` as const,
          does,
          run: () => onDecide({ behavior: 'allow', scope }),
        })),
        { keys: 'Alt+D', does: deny, run: () => setDenying(true) },
      ],
      [answers, deny, onDecide],
    ),
  );
  if (isDenying)
    return <DenyForm {...{ permission, isDeciding, onDecide }} onBack={() => setDenying(false)} />;
  return (
    <div className={row}>
      {answers.map(({ letter, scope, does }) => (
        <Button
          key={scope}
          look={scope === 'once' ? 'primary' : 'plain'}
          className={`${tall} ${scope === 'once' ? '' : 'order-last col-span-2 min-w-0 whitespace-normal! @md:order-none'}`}
          disabled={isDeciding}
          onClick={() => onDecide({ behavior: 'allow', scope })}
        >
          <span className="min-w-0 break-words">{does}</span> <KeysOnButton of={`Alt+${letter}`} />
        </Button>
      ))}
      <Button
        look={wider.length > 0 ? 'danger' : 'plain'}
        className={tall}
        disabled={isDeciding}
        onClick={() => setDenying(true)}
      >
        {deny} <KeysOnButton of="Alt+D" />
      </Button>
    </div>
  );
}

function DenyForm({
  permission,
  isDeciding,
  onDecide,
  onBack,
}: Pick<CardProps, 'isDeciding' | 'permission' | 'onDecide'> & { onBack: () => void }) {
  const [reason, setReason] = useStoredText(answerName(permission.id));
  return (
    <form
      className={row}
      onSubmit={(event) => {
        event.preventDefault();
        const message = reason.trim();
        onDecide({ behavior: 'deny', ...(message !== '' && { message }) });
      }}
    >
      <input
        // The person has just asked for this field.
        autoFocus
        aria-label={t('Tell Claude why')}
        placeholder={t('Tell Claude why (optional)')}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onBack();
        }}
        className="col-span-2 h-10 min-w-0 flex-1 rounded-lg border border-line bg-paper px-3 text-base outline-none placeholder:text-faint focus:border-accent sm:text-sm"
      />
      <Button look="danger" type="submit" className={tall} disabled={isDeciding}>
        {t('Deny')}
      </Button>
      <Button look="plain" className={tall} onClick={onBack}>
        {t('Back')}
      </Button>
    </form>
  );
}
