// A text with markup in it.
import { Trans as Lingui } from '@lingui/react';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import type { Values } from './translate.ts';

/** The tags of a text: `code` for `Set <code>KEY</code>`. */
type Tags<Message extends string> = Message extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | Tags<Rest>
  : never;

type Needs<Message extends string> = (Values<Message> extends [infer All]
  ? { readonly values: { readonly [Name in keyof All]: All[Name] | ReactNode } }
  : { readonly values?: never }) & { readonly tags: Readonly<Record<Tags<Message>, ReactElement>> };

/** `<Trans message="Set <code>{name}</code>" values={{ name }} tags={{ code: <code /> }} />` */
export function Trans<const Message extends string>({
  message,
  values = {},
  tags,
}: { readonly message: Message } & Needs<Message>) {
  // As elements, because the library would interpret tags in a string.
  const shown = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? <Fragment key={name}>{value}</Fragment> : value,
  ]);
  return <Lingui id={message} values={Object.fromEntries(shown)} components={{ ...tags }} />;
}
