// Chats with an assistant. Without an id in its address, the page starts a new one.

import { Suspense, useEffect, useMemo, useState } from 'react';
import { useLocation, useRoute } from 'wouter';
import { type Command, useCommands } from '../app/commands.ts';
import { FilesNextTo } from '../files/files-next-to.tsx';
import { useFilesOf } from '../files/files-of.ts';
import { useOpenFiles } from '../files/open-files.ts';
import { t } from '../i18n/translate.ts';
import { useOpenRecipe } from '../recipes/open-recipe.ts';
import { RecipePanel } from '../recipes/recipe-panel.tsx';
import { TimerBar } from '../recipes/timer-bar.tsx';
import { classes } from '../ui/classes.ts';
import { Drawer } from '../ui/dialog.tsx';
import { preloadMarkdown } from '../ui/markdown.tsx';
import { Spinner } from '../ui/notes.tsx';
import { preloadable } from '../ui/preloadable.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { NewConversation } from './new-conversation.tsx';

/** Loaded separately: most visits start with a new chat, which needs much less code. */
const openConversation = preloadable(async () => (await import('./open-conversation.tsx')).OpenConversation);

export function ChatPage() {
  const [, go] = useLocation();
  // One page for all chats: the list keeps its search and its scroll position.
  const [, params] = useRoute('/chat/:id');
  const id = params?.id;
  const [isListOpen, setListOpen] = useState(false);
  const [recipe, openRecipe] = useOpenRecipe();
  const controls = useOpenFiles();
  const notes = useFilesOf('notes', true);
  /** The running turn, because a turn may write notes. */
  const [turn, setTurn] = useState<string>();
  const isCovered = recipe !== undefined || controls.shown !== undefined;
  useEffect(() => {
    void openConversation.preload();
    void preloadMarkdown();
  }, []);
  const actions = useMemo<readonly Command[]>(
    () => [
      {
        name: t('New conversation'),
        keys: 'Alt+N',
        run: () => {
          go('/');
          write();
        },
      },
      { name: t('Write a message'), keys: 'Alt+/', run: write },
      { name: t('Open notes'), run: () => controls.show('files') },
    ],
    [go, controls],
  );
  useCommands(actions);
  const onList = () => setListOpen(true);
  return (
    <div className="relative flex h-full">
      <div
        className={classes(
          'hidden w-72 shrink-0 border-line border-r print:hidden',
          isCovered ? 'xl:block' : 'lg:block',
        )}
      >
        <ConversationList current={id} />
      </div>
      <Drawer open={isListOpen} onOpenChange={setListOpen} title={t('Conversations')}>
        <ConversationList current={id} replaces onOpen={() => setListOpen(false)} />
      </Drawer>
      <main
        className={classes(
          'flex min-w-0 flex-1 flex-col',
          // A printed page has room for only one of them.
          recipe !== undefined && 'print:hidden',
        )}
      >
        {/* A panel covers it on a phone. The landmark itself stays, because every page needs one. */}
        <div className={classes('contents', isCovered && 'max-md:invisible')}>
          <TimerBar />
          {id === undefined ? (
            <NewConversation onList={onList} />
          ) : (
            <Suspense fallback={<Spinner label={t('Opening the conversation')} />}>
              <openConversation.Part
                key={id}
                id={id}
                onList={onList}
                onRecipe={openRecipe}
                onNotes={controls.toggle}
                onTurn={setTurn}
              />
            </Suspense>
          )}
        </div>
      </main>
      {recipe !== undefined && <RecipePanel id={recipe} onClose={() => openRecipe(undefined)} />}
      {recipe === undefined && controls.shown && (
        <FilesNextTo place={notes} controls={controls} title={t('Notes')} refreshKey={turn} />
      )}
    </div>
  );
}

function write(): void {
  document.getElementById('composer')?.focus();
}
