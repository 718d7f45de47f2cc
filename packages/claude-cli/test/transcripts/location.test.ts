import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findTranscript,
  isSessionId,
  projectFolderName,
  projectsRoot,
  transcriptPath,
} from '../../src/index.ts';
import { temporaryFolder, userLine, writeTranscript } from './sample-lines.ts';

describe('where transcripts are', () => {
  it('names the project folder like the program', () => {
    expect(projectFolderName('/home/ada/my.project_2')).toBe('-home-ada-my-project-2');
    expect(projectFolderName('C:\\Users\\Ada')).toBe('C--Users-Ada');
    expect(projectFolderName('/größe/🙂')).toBe('-gr--e---');
    const long = projectFolderName(`/${'a'.repeat(300)}`);
    expect(long).toMatch(/^-a{199}-[0-9a-z]+$/);
    expect(projectFolderName(`/${'a'.repeat(301)}`)).not.toBe(long);
  });

  it('uses the config folder if one is set', () => {
    expect(projectsRoot('/home/ada')).toBe('/home/ada/.claude/projects');
    expect(projectsRoot('/home/ada', '/etc/claude')).toBe('/etc/claude/projects');
  });

  it('finds a session in any project, and the newest if there are two', async () => {
    const root = await temporaryFolder();
    const id = randomUUID();
    await writeTranscript(root, [userLine('a')], { id, project: '-a', minutesAgo: 5 });
    const newer = await writeTranscript(root, [userLine('b')], { id, project: '-b' });
    expect(await findTranscript(root, id)).toBe(newer);
    expect(await findTranscript(root, randomUUID())).toBeUndefined();
    expect(await findTranscript(join(root, 'missing'), id)).toBeUndefined();
    expect(transcriptPath(root, '/b', id)).toBe(newer);
  });

  it('lets only a UUID become a file name', async () => {
    expect(isSessionId('../../etc/passwd')).toBe(false);
    expect(isSessionId(`${randomUUID()}\n`)).toBe(false);
    await expect(findTranscript('/', '../etc/passwd')).rejects.toThrow('UUID');
    expect(() => transcriptPath('/', '/a', '..')).toThrow('UUID');
  });
});
