// `/api/marks`: pins, tags and archive of the person who asks. `/api/sessions/remove` and `restore`: deleting sessions,
// and undoing it.
import { ErrorBody, MarkChange, Marks, RemovedSessions, SessionIds } from '@parley/protocol';
import { z } from 'zod';
import type { Organizer } from '../../../domain/session-marks.ts';
import type { App } from '../app.ts';
import { bodyOf, person } from '../openapi/fields.ts';
import { responses } from '../openapi/responses.ts';

const tags = ['sessions'];
const response = responses(Marks, ErrorBody);

export function organizeRoutes(app: App, organizer: Organizer): void {
  app.get(
    '/api/marks',
    {
      schema: {
        tags,
        summary: 'How you organize your sessions',
        querystring: z.object({ person }),
        response,
      },
    },
    async ({ actor }) => view(await organizer.marks(actor)),
  );

  app.patch(
    '/api/marks',
    {
      schema: {
        tags,
        summary: 'Pin, tag or archive sessions, for yourself',
        body: z.strictObject(
          { ...MarkChange.shape, person },
          { error: bodyOf('ids, pinned, archived, addTags, removeTags') },
        ),
        response,
      },
    },
    async ({ actor, body: { ids, pinned, archived, addTags, removeTags } }) => {
      const change = { isPinned: pinned, isArchived: archived, addTags, removeTags };
      await organizer.mark(actor, ids, change);
      return view(await organizer.marks(actor));
    },
  );

  app.post(
    '/api/sessions/remove',
    {
      schema: {
        tags,
        summary: 'Delete sessions. They can be restored for half a minute, and are then gone for good.',
        body: z.strictObject({ ...SessionIds.shape, person }, { error: bodyOf('ids') }),
        response: responses(RemovedSessions, ErrorBody),
      },
    },
    async ({ actor, body }) => {
      const { removed, busy, until } = await organizer.remove(actor, body.ids);
      return { removed: [...removed], busy: [...busy], until };
    },
  );

  app.post(
    '/api/sessions/restore',
    {
      schema: {
        tags,
        summary: 'Bring back sessions that were deleted a moment ago',
        body: z.strictObject({ ...SessionIds.shape, person }, { error: bodyOf('ids') }),
        response: responses(SessionIds, ErrorBody),
      },
    },
    async ({ actor, body }) => ({ ids: [...(await organizer.restore(actor, body.ids))] }),
  );
}

function view(marks: Awaited<ReturnType<Organizer['marks']>>): Marks {
  return {
    marks: [...marks].map(([id, { isPinned, isArchived, tags: labels }]) => ({
      id,
      pinned: isPinned,
      archived: isArchived,
      tags: [...labels],
    })),
  };
}
