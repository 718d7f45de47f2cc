// The sessions of Claude Code as doors see them. The index of transcripts and the driver are loaded with the first call,
// so that they don't slow down the start of the server.
import { ParleyError } from '@parley/protocol';
import { requireLevel } from '../../../domain/access.ts';
import type { CodeSessions } from '../../../domain/code-sessions.ts';
import type { CodeSessionsOptions } from './code-sessions-options.ts';
import type { SessionCatalog } from './session-catalog.ts';

export interface RunningCodeSessions extends CodeSessions {
  close(): Promise<void>;
}

export function createCodeSessions(options: CodeSessionsOptions): RunningCodeSessions {
  let loading: Promise<SessionCatalog> | undefined;
  const catalog = (): Promise<SessionCatalog> => {
    loading ??= import('./session-catalog.ts').then(({ SessionCatalog }) => new SessionCatalog(options));
    return loading;
  };

  return {
    list: async (person, query) => (await catalog()).list(person, query),
    get: async (person, id) => (await catalog()).get(person, id),
    open: async (person, id) => (await catalog()).open(person, id),
    adopt: async (person, id) => (await catalog()).adopt(person, id),
    messages: async (person, id, page) => (await catalog()).messages(person, id, page),
    past: async (person, id, page) => (await catalog()).past(person, id, page),
    find: async (person, id, text, limit) => (await catalog()).find(person, id, text, limit),
    todos: async (person, id) => (await catalog()).todos(person, id),
    create: async (person, wanted) => (await catalog()).create(person, wanted),
    prepare: async (person, wanted) => (await catalog()).prepare(person, wanted),
    rename: async (person, id, title) => (await catalog()).rename(person, id, title),
    archive: async (person, id, isArchived) => (await catalog()).archive(person, id, isArchived),
    fork: async (person, id, key) => (await catalog()).fork(person, id, key),
    remove: async (person, id) => (await catalog()).remove(person, id),
    models: () => options.engine.models(),
    offers: async (person, id) => options.engine.offers(await options.gateway.getSession(person, id)),
    async rewind(actor, id, prompt, dryRun) {
      const { access, gateway, engine } = options;
      const session = requireLevel(access, actor, await gateway.getSession(actor, id), 'own');
      if (engine.isWorking(id))
        throw new ParleyError('conflict', 'Claude is working. Wait until it is done, or stop it first.');
      return engine.rewind(session, prompt, dryRun);
    },
    permissionMode: (id) => options.engine.permissionModeOf(id),

    onChange(person, listener) {
      let stop: (() => void) | undefined;
      let isWanted = true;
      catalog()
        .then((loaded) => {
          if (isWanted) stop = loaded.onChange(person, listener);
        })
        .catch((error: unknown) =>
          options.logger.error({ err: error }, 'changes of sessions cannot be reported'),
        );
      return () => {
        isWanted = false;
        stop?.();
      };
    },

    async close() {
      const loaded = await loading?.catch(() => undefined);
      await loaded?.close();
    },
  };
}
