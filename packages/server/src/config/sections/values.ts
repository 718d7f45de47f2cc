// Values that several sections use. Each call makes a new schema, because a setting's description belongs to its schema.
import { z } from 'zod';
import { Secret } from '../secret.ts';

export const secretText = () =>
  z
    .string()
    .min(1)
    .transform((value) => new Secret(value));

/** An empty text counts as absent. */
export const optionalSecret = () =>
  z
    .string()
    .transform((value) => (value === '' ? undefined : new Secret(value)))
    .optional();

export function haveUniqueNames(entries: readonly { readonly name: string }[]): boolean {
  return new Set(entries.map(({ name }) => name)).size === entries.length;
}

/** The address of a service: http or https, without a user name or password in it. */
export const httpAddress = () => z.string().refine(isHttpAddress, 'expected an http or https address');

/** Such as `wiki.local:8080`. */
export const hostWithPort = () =>
  z.string().regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/, 'expected host:port');

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
