// Builds the request bodies for our messages.
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord-api-types/v10';
import type { Button, OutgoingMessage } from '../core/bot.ts';

export const longestMessage = 2_000;
const longestLabel = 80;
const maxInRow = 5;
const maxRows = 5;

export async function editBody({ text, isPlain, buttons }: OutgoingMessage) {
  return {
    content: isPlain ? text : await shown(text),
    // What a model writes never notifies anybody, least of all @everyone.
    allowed_mentions: { parse: [], replied_user: false },
    ...(buttons && { components: toComponents(buttons) }),
  };
}

export async function sendBody(message: OutgoingMessage, nonce: string) {
  const { replyTo, isSilent } = message;
  return {
    ...(await editBody(message)),
    nonce,
    enforce_nonce: true,
    flags: MessageFlags.SuppressEmbeds | (isSilent ? MessageFlags.SuppressNotifications : 0),
    ...(replyTo !== undefined && {
      message_reference: { message_id: replyTo, fail_if_not_exists: false },
    }),
  };
}

/** Keeps the rows when they fit, otherwise refills them. Buttons beyond 25 are dropped. */
export function toComponents(
  rows: readonly (readonly Button[])[],
): readonly APIActionRowComponent<APIButtonComponentWithCustomId>[] {
  const filled = rows.filter((row) => row.length > 0);
  const fits = filled.length <= maxRows && filled.every((row) => row.length <= maxInRow);
  return (fits ? filled : refilled(filled.flat())).map((row) => ({
    type: ComponentType.ActionRow,
    components: row.map(({ label, data }) => ({
      type: ComponentType.Button,
      style: ButtonStyle.Secondary,
      label: cut(label),
      custom_id: data,
    })),
  }));
}

function refilled(buttons: readonly Button[]): readonly (readonly Button[])[] {
  const inRow = Math.min(maxInRow, Math.ceil(buttons.length / maxRows));
  const rows = Math.min(maxRows, Math.ceil(buttons.length / inRow));
  return Array.from({ length: rows }, (_, row) => buttons.slice(row * inRow, (row + 1) * inRow));
}

/** A text that would get too long stays as it is. */
async function shown(text: string): Promise<string> {
  // Loaded with the first message, because it would slow down the start.
  const { toDiscordMarkdown } = await import('./markdown.ts');
  const made = toDiscordMarkdown(text);
  return made.length <= longestMessage ? made : text;
}

function cut(label: string): string {
  const characters = Array.from(label);
  return label.length <= longestLabel ? label : `${characters.slice(0, longestLabel / 2 - 1).join('')}…`;
}
