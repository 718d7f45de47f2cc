// The state of the MCP servers.
import { useQuery } from '@tanstack/react-query';
import { get } from '../client.ts';
import { serverText } from '../i18n/server-text.ts';
import { t } from '../i18n/translate.ts';
import { moment } from '../ui/amounts.ts';
import { Badge, ErrorNote, Skeleton } from '../ui/notes.tsx';

export interface McpServer {
  readonly name: string;
  readonly state: 'idle' | 'starting' | 'ready' | 'failed';
  readonly tools: readonly string[];
  readonly lastError: string | null;
  readonly restarts: number;
  readonly nextTryAt: number | null;
}

const tones = { idle: 'plain', starting: 'accent', ready: 'good', failed: 'danger' } as const;
const stateNames = {
  idle: () => t('starts on demand'),
  starting: () => t('starting'),
  ready: () => t('ready'),
  failed: () => t('failed'),
};

export function useMcpServers() {
  return useQuery({
    queryKey: ['mcp'],
    queryFn: ({ signal }) => get<{ servers: readonly McpServer[] }>('/api/mcp', signal),
    refetchInterval: 5_000,
  });
}

export function McpServerList() {
  const servers = useMcpServers();
  if (servers.isPending) return <Skeleton className="h-16" />;
  if (servers.isError) return <ErrorNote error={servers.error} onRetry={() => void servers.refetch()} />;
  if (servers.data.servers.length === 0)
    return <p className="text-faint text-sm">{t('No MCP servers are configured.')}</p>;
  return (
    <ul className="grid gap-3">
      {servers.data.servers.map((server) => (
        <li key={server.name} className="text-sm">
          <div className="flex items-center justify-between gap-3">
            <span className="font-medium">{server.name}</span>
            <ServerState {...server} />
          </div>
          <ServerRemark {...server} />
        </li>
      ))}
    </ul>
  );
}

export function ServerState({ state }: McpServer) {
  return <Badge tone={tones[state]}>{stateNames[state]()}</Badge>;
}

/** Its tools, and what is wrong with it. */
export function ServerRemark({ state, tools, lastError, restarts, nextTryAt }: McpServer) {
  return (
    <>
      <p className="mt-0.5 break-words text-faint text-xs">
        {[
          tools.length > 0 ? tools.join(', ') : t('tools not known yet'),
          restarts > 0 &&
            t('{count, plural, one {restarted once} other {restarted # times}}', { count: restarts }),
          nextTryAt !== null && t('next attempt at {time}', { time: moment(nextTryAt, new Date()) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {lastError !== null && state === 'failed' && (
        <p className="mt-1 break-words text-danger text-xs">{serverText(lastError)}</p>
      )}
    </>
  );
}
