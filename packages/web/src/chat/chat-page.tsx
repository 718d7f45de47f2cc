// Conversations with an assistant. Opened without one, the page begins a new one.
import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useCommands } from '../app/commands.tsx';
import { useShortcuts } from '../app/shortcuts.ts';
import { useOpenRecipe } from '../recipes/open-recipe.ts';
import { RecipePanel } from '../recipes/recipe-panel.tsx';
import { TimerBar } from '../recipes/timer-bar.tsx';
import { classes } from '../ui/classes.ts';
import { Drawer } from '../ui/drawer.tsx';
import { preloadMarkdown } from '../ui/markdown.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { NewConversation } from './new-conversation.tsx';
import { OpenConversation } from './open-conversation.tsx';

export function ChatPage({ id }: { id: string | undefined }) {
  const [, go] = useLocation();
  const [isListOpen, setListOpen] = useState(false);
  const [recipe, openRecipe] = useOpenRecipe();
  useEffect(preloadMarkdown, []);
  const actions = useMemo(
    () => [
      { name: 'New conversation', keys: 'N', run: () => go('/') },
      { name: 'Write a message', keys: '/', run: () => document.getElementById('composer')?.focus() },
    ],
    [go],
  );
  useShortcuts(useMemo(() => actions.map(({ name, keys, run }) => ({ keys, does: name, run })), [actions]));
  useCommands(actions);
  const onList = () => setListOpen(true);
  return (
    <div className="relative flex h-full">
      <div
        className={classes(
          'hidden w-72 shrink-0 border-line border-r print:hidden',
          recipe === undefined ? 'lg:block' : 'xl:block',
        )}
      >
        <ConversationList current={id} />
      </div>
      <Drawer open={isListOpen} onOpenChange={setListOpen} title="Conversations">
        <ConversationList current={id} onOpen={() => setListOpen(false)} />
      </Drawer>
      <main
        className={classes(
          'flex min-w-0 flex-1 flex-col print:hidden',
          // Under the recipe there is nothing to be reached.
          recipe !== undefined && 'max-md:invisible',
        )}
      >
        <TimerBar />
        {id === undefined ? (
          <NewConversation onList={onList} />
        ) : (
          <OpenConversation id={id} onList={onList} onRecipe={openRecipe} />
        )}
      </main>
      {recipe !== undefined && <RecipePanel id={recipe} onClose={() => openRecipe(undefined)} />}
    </div>
  );
}
