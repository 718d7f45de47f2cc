// Is this Node new enough?
import { broken, type Check, ok } from './check.ts';

const needed = [20, 19] as const;

export const nodeVersion: Check = {
  name: 'Node',
  run: async () => [isNewEnough(process.versions.node) ? ok(process.versions.node) : tooOld()],
};

export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function tooOld() {
  return broken(`${process.versions.node} is too old`, `Install Node ${needed.join('.')} or newer.`);
}
