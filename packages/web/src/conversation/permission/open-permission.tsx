// The oldest open permission of a conversation, and its decision.
import type { Conversation, ConversationSnapshot } from '@parley/client';
import type { Decision } from '@parley/protocol';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../../i18n/translate.ts';
import { ErrorNote } from '../../ui/notes.tsx';
import { answerName, storeText } from '../stored-text.ts';
import { record, text } from '../tools/read.ts';
import { PermissionCard } from './permission-card.tsx';

interface OpenPermissionProps {
  readonly conversation: Conversation;
  readonly snapshot: ConversationSnapshot;
  /** Who asks, unless a subagent does. */
  readonly name: string;
  readonly workingDir?: string | undefined;
}

export function OpenPermission({ conversation, snapshot, name, workingDir }: OpenPermissionProps) {
  const { view } = snapshot;
  const [asked] = view.permissions;
  const [deciding, setDeciding] = useState<string>();
  const [problem, setProblem] = useState<unknown>();
  const id = asked?.id;
  const decide = useCallback(
    (decision: Decision) => {
      if (id === undefined || deciding === id) return;
      setDeciding(id);
      setProblem(undefined);
      // After a success, the card goes away by itself.
      conversation.decide(id, decision).catch((refused: unknown) => {
        setProblem(refused);
        setDeciding(undefined);
      });
    },
    [conversation, id, deciding],
  );
  useEffect(
    // What was typed for it is of no use once it is decided, by whomever.
    () => () => {
      const { permissions } = conversation.snapshot().view;
      if (id !== undefined && !permissions.some((open) => open.id === id)) storeText(answerName(id), '');
    },
    [conversation, id],
  );
  if (!asked) return null;
  return (
    <>
      <PermissionCard
        key={asked.id}
        permission={asked}
        asker={subagentThatAsks(snapshot, asked.request.toolUseId) ?? name}
        workingDir={view.facts.workingDir ?? workingDir}
        waiting={view.permissions.length}
        isDeciding={deciding === asked.id}
        onDecide={decide}
      />
      {problem !== undefined && <ErrorNote error={problem} />}
    </>
  );
}

/** The description of the subagent whose tool call needs the permission. */
function subagentThatAsks({ view }: ConversationSnapshot, call: string | undefined): string | undefined {
  if (call === undefined) return undefined;
  for (const [agent, items] of view.subagents) {
    if (!items.some((item) => item.kind === 'tool' && item.id === call)) continue;
    const runs = view.items.find((item) => item.kind === 'tool' && item.id === agent);
    const { description } = record(runs?.kind === 'tool' ? runs.input : undefined);
    return t('Subagent “{name}”', { name: text(description) ?? agent });
  }
  return undefined;
}
