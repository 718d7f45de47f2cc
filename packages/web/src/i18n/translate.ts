// The texts of the app in the active language. A text is written in English where it is used; the catalogs in
// `packages/web/locales/` have it in the other languages.
import { setupI18n } from '@lingui/core';
import type { GetICUArgs } from '@schummar/icu-type-parser';

export const i18n = setupI18n({
  locale: 'en',
  messages: { en: {} },
  // The built English catalog has only the texts with placeholders; all others are their own translation.
  ...(import.meta.env.PROD && { missing: (_: string, id: string) => id }),
});

type Arguments<Message extends string> = GetICUArgs<
  Message,
  { ICUArgument: string | number; ICUNumberArgument: number; ICUDateArgument: never }
>;

/** Empty for a text without placeholders. */
export type Values<Message extends string> = keyof Arguments<Message> extends never
  ? []
  : [values: Arguments<Message>];

/**
 * Translates a text: `t('Delete {title}?', { title })`. The text is a literal, so that `npm run messages` finds it;
 * call this while rendering or later, not when a module loads: the language isn't known yet.
 */
export function t<const Message extends string>(message: Message, ...[values]: Values<Message>): string {
  return translate(message, values);
}

/** Translates a text that is not in the source of the app. */
export function translate(message: string, values?: object): string {
  return i18n._(message, protect(values)).replaceAll(backslash, '\\');
}

const backslash = '\uE000';

/** The library reads `\x41` in a value as an escape sequence; people may well write that. */
function protect(values: object | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value.replaceAll('\\', backslash) : value,
    ]),
  );
}
