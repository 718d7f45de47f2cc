// How the MCP servers are doing.
import { useQuery } from '@tanstack/react-query';
import { get } from '../api/http.ts';
import { moment } from '../ui/amounts.ts';
import { Badge, Refusal, Skeleton } from '../ui/notes.tsx';

interface ToolServer {
  readonly name: string;
  readonly state: 'idle' | 'starting' | 'ready' | 'failed';
  readonly tools: readonly string[];
  readonly lastError: string | null;
  readonly restarts: number;
  readonly nextTryAt: number | null;
}

const tones = { idle: 'plain', starting: 'accent', ready: 'good', failed: 'danger' } as const;
const words = { idle: 'starts when needed', starting: 'starting', ready: 'ready', failed: 'failed' } as const;

export function ToolServers() {
  const servers = useQuery({
    queryKey: ['mcp'],
    queryFn: ({ signal }) => get<{ servers: readonly ToolServer[] }>('/api/mcp', signal),
    refetchInterval: 5_000,
  });
  if (servers.isPending) return <Skeleton className="h-16" />;
  if (servers.isError) return <Refusal error={servers.error} onRetry={() => void servers.refetch()} />;
  if (servers.data.servers.length === 0) return <p className="text-faint text-sm">None are configured.</p>;
  return (
    <ul className="grid gap-3">
      {servers.data.servers.map(({ name, state, tools, lastError, restarts, nextTryAt }) => (
        <li key={name} className="text-sm">
          <div className="flex items-center justify-between gap-3">
            <span className="font-medium">{name}</span>
            <Badge tone={tones[state]}>{words[state]}</Badge>
          </div>
          <p className="mt-0.5 text-faint text-xs">
            {tools.length > 0 ? tools.join(', ') : 'no tools listed yet'}
            {restarts > 0 && ` · restarted ${restarts} times`}
            {nextTryAt !== null && ` · next try at ${moment(nextTryAt, new Date())}`}
          </p>
          {lastError !== null && state === 'failed' && (
            <p className="mt-1 text-danger text-xs">{lastError}</p>
          )}
        </li>
      ))}
    </ul>
  );
}
