// What those who watch a session are told of changed settings. Others than these are no news to them, and some are
// secret.
import type { GatewayEvent, Session } from '@parley/protocol';

export function settingsChange(chosen: Session['settings']): GatewayEvent | undefined {
  const named = (['model', 'permissionMode'] as const).filter((name) => name in chosen);
  if (named.length === 0) return undefined;
  const values = named.map((name) => [name, textOf(chosen[name])]);
  return { type: 'settings.changed', ...Object.fromEntries(values) };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
