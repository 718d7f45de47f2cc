// What the schema knows about each key besides its type: where else it can be set, and what it means. Loading, error
// messages and docs/configuration.md use it.
import { z } from 'zod';

/** How the text of a variable or flag becomes a value of the configuration. */
export type TextForm = 'text' | 'number' | 'boolean' | 'list' | 'path' | 'paths';

export interface SettingInfo {
  /** One or two sentences for the reference. */
  readonly meaning: string;
  readonly env?: string;
  /** Another spelling of the variable. It wins, as in other programs. */
  readonly alias?: string;
  /** The flag of `parley serve`, without its dashes. */
  readonly flag?: string;
  readonly form?: TextForm;
  /** Its value is never shown, even if it is wrong. */
  readonly secret?: boolean;
  /** What to do if it is wrong; the meaning is shown if absent. */
  readonly hint?: string;
  /** Describes the default if it depends on other settings. */
  readonly fallback?: string;
}

export interface Setting extends SettingInfo {
  readonly path: readonly string[];
  /** The path with dots, as people write it. */
  readonly key: string;
  /** Whether its value is one of a few that the schema names. */
  readonly isChoice: boolean;
  /** The settings of each entry, if it is a list of objects. */
  readonly entries: readonly Setting[];
}

export const aboutSettings = z.registry<SettingInfo>();

/** Declares a key of the configuration. */
export function setting<S extends z.ZodType>(schema: S, about: SettingInfo): S {
  aboutSettings.add(schema, about);
  return schema;
}

/** A group of keys. Refuses unknown keys; the whole group can be left out. */
export function section<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject(shape).prefault({} as never);
}

/** Every setting in a schema, in the order of declaration. */
export function settingsOf(schema: z.ZodType, path: readonly string[] = []): readonly Setting[] {
  const about = aboutSettings.get(schema);
  if (about && path.length > 0) {
    const isChoice = unwrap(schema) instanceof z.ZodEnum;
    return [{ ...about, path, key: path.join('.'), isChoice, entries: entriesOf(schema) }];
  }
  return Object.entries(keysOf(schema) ?? {}).flatMap(([key, inner]) => settingsOf(inner, [...path, key]));
}

/** The known keys at a place in the configuration, or undefined if no keys are expected there. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] | undefined {
  const [step, ...rest] = path;
  if (step === undefined) {
    const keys = keysOf(schema);
    return keys && Object.keys(keys);
  }
  const bare = unwrap(schema);
  const next = bare instanceof z.ZodArray ? (bare.element as z.ZodType) : keysOf(bare)?.[String(step)];
  return next && keysAt(next, rest);
}

function entriesOf(schema: z.ZodType): readonly Setting[] {
  const bare = unwrap(schema);
  return bare instanceof z.ZodArray ? settingsOf(bare.element as z.ZodType) : [];
}

function keysOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const bare = unwrap(schema);
  return bare instanceof z.ZodObject ? bare.shape : undefined;
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return unwrap(schema.in as z.ZodType);
  return schema;
}
