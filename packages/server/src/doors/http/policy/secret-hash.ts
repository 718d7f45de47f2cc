// Hashes the secrets that Parley makes itself, to store them: keys, logins, browser marks, share links. A plain hash is
// enough, because unlike passwords they are long and random.
import { createHash } from 'node:crypto';

export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
