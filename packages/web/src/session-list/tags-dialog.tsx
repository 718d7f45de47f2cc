// The tags of a session, or tags for several. Tags instead of folders: a session can be about several things, and projects are
// folders already.
import type { SessionMarks } from '@parley/protocol';
import { useState } from 'react';
import { t } from '../i18n/translate.ts';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogButtons } from '../ui/dialog.tsx';
import { tagsIn, useMarks, useOrganize } from './marks.ts';

const maxTags = 10;
const longestTag = 40;

export function TagsDialog({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('{count, plural, one {Tags} other {Tags for # sessions}}', { count: ids.length })}
    >
      <TagsForm ids={ids} onClose={onClose} />
    </Dialog>
  );
}

function TagsForm({ ids, onClose }: { ids: readonly string[]; onClose: () => void }) {
  const marks = useMarks();
  const { mark } = useOrganize();
  const before = common(ids, marks);
  const [text, setText] = useState(before.join(', '));
  const given = tagsOf(text);
  const offered = tagsIn(marks).filter((tag) => !given.includes(tag));
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const removeTags = before.filter((tag) => !given.includes(tag));
        void mark({ ids: [...ids], addTags: given, removeTags }).then(onClose);
      }}
    >
      <label className="grid gap-1.5 text-sm">
        {t('Tags, separated by commas')}
        <input
          // The person just asked for them.
          autoFocus
          value={text}
          maxLength={(longestTag + 2) * maxTags}
          onChange={({ target }) => setText(target.value)}
          className="h-10 rounded-lg border border-edge bg-paper px-3 text-base"
        />
      </label>
      {offered.length > 0 && (
        <div className="flex flex-wrap gap-1.5">
          {offered.map((tag) => (
            <Button
              key={tag}
              className="min-h-8 px-2.5 text-xs"
              onClick={() => setText([...given, tag].join(', '))}
            >
              {tag}
            </Button>
          ))}
        </div>
      )}
      <DialogButtons onCancel={onClose}>
        <Button look="primary" type="submit">
          {t('Save')}
        </Button>
      </DialogButtons>
    </form>
  );
}

function common(ids: readonly string[], marks: ReadonlyMap<string, SessionMarks>): readonly string[] {
  const [first = [], ...others] = ids.map((id) => marks.get(id)?.tags ?? []);
  return first.filter((tag) => others.every((tags) => tags.includes(tag)));
}

function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim().slice(0, longestTag));
  return [...new Set(tags.filter(Boolean))].slice(0, maxTags);
}
