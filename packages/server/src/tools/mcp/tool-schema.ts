// Makes the input schema of a foreign tool acceptable to the Messages API, which refuses a whole request because of one
// invalid schema. Pure.
import { isRecord } from '../../basics/is-record.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface FitSchema {
  readonly schema: Schema;
  /** What the schema can no longer express, as JSON for the description. */
  readonly alternatives: string | undefined;
}

/** Undefined when its field names are invalid for the API. */
export function fitSchema(given: Schema): FitSchema | undefined {
  const { anyOf, oneOf, allOf, ...root } = given;
  const choices = [anyOf, oneOf].map(branchesOf).filter((branches) => branches.length > 0);
  const additions = branchesOf(allOf);
  const isPlain = choices.length === 0 && additions.length === 0;
  const schema = isPlain ? root : folded(root, choices, additions);
  if (!Object.keys(fieldsOf(schema)).every((name) => fieldName.test(name))) return undefined;
  const alternatives = isPlain ? undefined : JSON.stringify({ anyOf, oneOf, allOf });
  return { schema, alternatives };
}

const fieldName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** One object with the fields of all branches. Fields that every choice requires stay required; the server checks the rest. */
function folded(root: Schema, choices: readonly (readonly Schema[])[], additions: readonly Schema[]): Schema {
  const required = new Set([root, ...additions].flatMap(requiredBy));
  for (const [first, ...others] of choices) {
    const shared = requiredBy(first ?? {}).filter((name) =>
      others.every((other) => requiredBy(other).includes(name)),
    );
    for (const name of shared) required.add(name);
  }
  return {
    ...root,
    properties: mergedFields([root, ...additions, ...choices.flat()]),
    ...(required.size > 0 && { required: [...required] }),
  };
}

/** A field with several definitions may match any of them. */
function mergedFields(parts: readonly Schema[]): Schema {
  const merged = new Map<string, Map<string, unknown>>();
  for (const [name, field] of parts.flatMap((part) => Object.entries(fieldsOf(part)))) {
    const forms = merged.get(name) ?? new Map<string, unknown>();
    merged.set(name, forms.set(JSON.stringify(field), field));
  }
  return Object.fromEntries(
    [...merged].map(([name, forms]) => {
      const [only, ...others] = forms.values();
      return [name, others.length === 0 ? only : { anyOf: [...forms.values()] }];
    }),
  );
}

function branchesOf(keyword: unknown): readonly Schema[] {
  return Array.isArray(keyword) ? keyword.filter(isRecord) : [];
}

function requiredBy({ required }: Schema): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function fieldsOf({ properties }: Schema): Schema {
  return isRecord(properties) ? properties : {};
}
