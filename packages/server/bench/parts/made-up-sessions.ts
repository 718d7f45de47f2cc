// Writes transcripts in the program's format, to measure the list of sessions.
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Writes them to the program's folder in `home`. Returns the id of the last one. */
export function makeSessions(home: string, count: number, bytes: number): string {
  let last = '';
  for (let index = 0; index < count; index += 1) {
    const project = `/srv/project-${index % 20}`;
    const folder = join(home, '.claude/projects', project.replaceAll(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    last = makeSession(folder, project, index, bytes);
  }
  return last;
}

function makeSession(folder: string, cwd: string, index: number, bytes: number): string {
  const sessionId = randomUUID();
  const file = openSync(join(folder, `${sessionId}.jsonl`), 'w');
  let parentUuid: string | null = null;
  let written = 0;
  for (let turn = 0; written < bytes || turn === 0; turn += 1) {
    const lines = (['user', 'assistant'] as const).map((role) => {
      const uuid = randomUUID();
      const text = `Session ${index}, turn ${turn}: ${'what was said about beans and peas '.repeat(60)}`;
      const message = { role, content: role === 'user' ? text : [{ type: 'text', text }] };
      const timestamp = new Date(1_760_000_000_000 + index * 60_000 + turn * 1_000).toISOString();
      const line = { parentUuid, isSidechain: false, type: role, message, uuid, timestamp, cwd, sessionId };
      parentUuid = uuid;
      return `${JSON.stringify({ ...line, gitBranch: 'main', version: '2.1.325' })}\n`;
    });
    written += writeSync(file, lines.join(''));
  }
  closeSync(file);
  return sessionId;
}
