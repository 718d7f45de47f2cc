// Which permission mode the program starts with.
import { describe, expect, it } from 'vitest';
import { settingsFor } from '../../../src/engines/claude-code/process/settings.ts';

const folder = { workingDir: '/srv/garden' };

describe('the permission mode of a session', () => {
  it.each([
    // default, the session's own, the mode of an owner, the mode of a member
    ['bypassPermissions', undefined, 'bypassPermissions', 'default'],
    ['dontAsk', undefined, 'dontAsk', 'default'],
    ['acceptEdits', 'bypassPermissions', 'bypassPermissions', 'default'],
    ['bypassPermissions', 'plan', 'plan', 'plan'],
    ['acceptEdits', undefined, 'acceptEdits', 'acceptEdits'],
    // Without one the program reads its own settings, which could turn the questions off.
    [undefined, undefined, undefined, 'default'],
  ] as const)('is one that the person may use: %s, %s [team.access.bypass]', (usual, own, owner, member) => {
    const rules = {
      defaults: { ...(usual && { permissionMode: usual }) },
      mayBypass: (person: string) => person === 'olga',
    };
    const settings = { ...folder, ...(own && { permissionMode: own }) };
    expect(settingsFor('olga', settings, rules).permissionMode).toBe(owner);
    expect(settingsFor('mia', settings, rules).permissionMode).toBe(member);
  });
});
