// One Claude Code session: its header, its todo list, and the conversation itself.

import {
  ApiError,
  type Conversation,
  type ConversationSnapshot,
  type PromptItem,
  type ConversationView as View,
} from '@parley/client';
import type { CodeSessionView, Todo } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { ListTodo, SquareTerminal } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useHere } from '../app/me.tsx';
import { suggestedMessage } from '../changes/suggested-message.ts';
import { ChoiceMenu } from '../conversation/choice-menu.tsx';
import type { ConversationKind } from '../conversation/context.ts';
import { ConversationView, Opening } from '../conversation/conversation-view.tsx';
import { Collapsible } from '../conversation/items/collapsible.tsx';
import { TodoList } from '../conversation/tools/todo-list.tsx';
import { ToolView } from '../conversation/tools/tool-view.tsx';
import { useConversation } from '../conversation/use-conversation.ts';
import type { Attempt } from '../conversation/use-sent-messages.ts';
import { FilesNextTo } from '../files/files-next-to.tsx';
import { useFileFinder, useFilesOf, useOpenPath } from '../files/files-of.ts';
import { useOpenFiles } from '../files/open-files.ts';
import { Trans } from '../i18n/trans.tsx';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { classes } from '../ui/classes.ts';
import { Empty, ErrorNote } from '../ui/notes.tsx';
import { OpenPathContext } from '../ui/open-path.ts';
import { useOnChange } from '../ui/use-on-change.ts';
import { ContinueInNewSession, TakeOver } from './blocked-session.tsx';
import { chosenModel, nameOfModel, rememberedCommands, rememberOffers, usualModels } from './choices.ts';
import { allKey, titleOf, useSession } from './list/use-sessions.ts';
import { ModeMenu } from './mode-menu.tsx';
import { SessionHeader } from './session-header.tsx';
import { TrustCard } from './trust-card.tsx';

const code: ConversationKind = {
  Tool: ToolView,
  showsDecisions: false,
  path: (id) => `/code/${id}`,
  canRetry: false,
  changesFiles: true,
  canSteer: true,
};

const suggestions = [
  'Read README.md',
  'Run touch hello.txt',
  'Ask me a question',
  'Make a plan',
  'Make a todo list',
  'Search for TODO',
];

export function SessionPage({ id }: { id: string }) {
  const session = useSession(id);
  // Opened at once, because the messages take longer to load than the header.
  const [conversation, snapshot] = useConversation(id);
  if (session.isError) {
    return (
      <div className="mx-auto w-full max-w-lg p-6">
        <ErrorNote error={session.error} onRetry={() => void session.refetch()} />
      </div>
    );
  }
  if (!session.data) return <Opening />;
  return <OpenSession session={session.data} conversation={conversation} snapshot={snapshot} />;
}

function OpenSession({
  session,
  conversation,
  snapshot,
}: {
  session: CodeSessionView;
  conversation: Conversation;
  snapshot: ConversationSnapshot;
}) {
  const { demo, terminal } = useHere();
  const { view } = snapshot;
  const { facts } = view;
  const { workingDir } = session;
  const { models, commands } = facts;
  const offered = models ?? usualModels();
  useFreshList(view);
  useEffect(() => rememberOffers(workingDir, { models, commands }), [workingDir, models, commands]);
  const menus = (attempt: Attempt) => (
    <>
      <ChoiceMenu
        label={t('Model')}
        shown={nameOfModel(facts.model, offered)}
        choices={offered.map(({ value, displayName, description }) => ({
          value,
          name: displayName,
          about: description,
        }))}
        chosen={chosenModel(facts.model, offered)?.value}
        onChoose={(model) => attempt(conversation.configure({ model }))}
      />
      <ModeMenu
        mode={facts.permissionMode}
        folder={workingDir}
        onChoose={(permissionMode) => attempt(conversation.configure({ permissionMode }))}
      />
    </>
  );
  const controls = useOpenFiles();
  const place = useFilesOf(session.id, session.shared?.access !== 'read', !session.shared);
  const finder = useFileFinder(place);
  const openPath = useOpenPath(workingDir, controls.openFile);
  return (
    <div className="relative flex h-full min-h-0 min-w-0">
      <main className="flex h-full min-h-0 min-w-0 flex-1 flex-col">
        {/* The panel covers it on a phone. The landmark itself stays, because every page needs one. */}
        <div className={classes('contents', controls.shown && 'max-md:invisible')}>
          <SessionHeader
            session={session}
            conversation={conversation}
            facts={facts}
            onFiles={controls.toggle}
          />
          <OpenPathContext value={openPath}>
            <ConversationView
              conversation={conversation}
              snapshot={snapshot}
              kind={code}
              name="Claude"
              workingDir={workingDir}
              files={finder}
              commands={commands.length > 0 ? commands : rememberedCommands(workingDir)}
              placeholder={t('What should Claude do?')}
              empty={(send) => (
                <Ready workingDir={workingDir} suggestions={demo ? suggestions : []} onTry={send} />
              )}
              menus={menus}
              panels={
                <>
                  <TrustCard workingDir={workingDir} refreshKey={view.running} />
                  <TodoPanel todos={view.todos} />
                </>
              }
              remedy={(error) => {
                const { code: problem } = error instanceof ApiError ? error : {};
                if (problem === 'not_resumable')
                  return <ContinueInNewSession workingDir={workingDir} facts={facts} />;
                if (problem !== 'in_terminal' || !terminal) return null;
                return <TakeOver conversation={conversation} />;
              }}
            />
          </OpenPathContext>
        </div>
      </main>
      {controls.shown && (
        <FilesNextTo
          place={place}
          controls={controls}
          title={t('Files')}
          suggestion={suggestedMessage(lastPrompt(view.items), titleOf(session))}
          refreshKey={view.running}
        />
      )}
    </div>
  );
}

function lastPrompt(items: View['items']): string | undefined {
  return items.findLast((item): item is PromptItem => item.kind === 'prompt')?.text;
}

/** Refreshes the list: turns change titles and costs, and permissions change whether a session needs somebody. */
function useFreshList({ running, permissions }: View): void {
  const queries = useQueryClient();
  const asked = permissions[0]?.id;
  useOnChange([running, asked], () => void queries.invalidateQueries({ queryKey: allKey }));
}

function Ready({
  workingDir,
  suggestions: shown,
  onTry,
}: {
  workingDir: string;
  suggestions: readonly string[];
  onTry: (text: string) => void;
}) {
  return (
    <Empty icon={<SquareTerminal size={22} aria-hidden />} title={t('Ready when you are')}>
      <Trans
        message="Claude works in <path>{path}</path>."
        values={{ path: workingDir.replaceAll('/', '/\u200B') }}
        tags={{ path: <code className="break-words font-mono text-ink" /> }}
      />
      {shown.length > 0 && (
        <div className="mt-6 flex flex-wrap justify-center gap-2">
          {shown.map((text) => (
            <Button key={text} className="min-h-8 rounded-full! px-3 text-xs" onClick={() => onTry(text)}>
              {text}
            </Button>
          ))}
        </div>
      )}
    </Empty>
  );
}

/** The todo list that the program keeps. */
function TodoPanel({ todos }: { todos: readonly Todo[] }) {
  // On a phone the conversation needs the space. Decided once, so that a resized window doesn't open or close the list.
  const [hasSpace] = useState(() => window.matchMedia('(min-width: 40rem)').matches);
  const done = todos.filter(({ status }) => status === 'completed').length;
  const next =
    todos.find(({ status }) => status === 'in_progress') ?? todos.find(({ status }) => status === 'pending');
  if (todos.length === 0) return null;
  return (
    <section aria-label={t('To-do list')} className="rounded-xl border border-line bg-raised text-sm">
      <Collapsible
        part="todos"
        isOpenAtFirst={hasSpace && done < todos.length}
        className="flex w-full gap-2 px-3 py-2"
        line={
          <>
            <ListTodo size={16} className="text-accent" aria-hidden />
            <span className="font-medium">{t('{done} of {count} done', { done, count: todos.length })}</span>
            {next && (
              <span className="min-w-0 truncate text-soft group-aria-expanded/line:hidden">{next.text}</span>
            )}
          </>
        }
      >
        <TodoList todos={todos} className="max-h-40 overflow-y-auto px-3 pb-2.5" />
      </Collapsible>
    </section>
  );
}
