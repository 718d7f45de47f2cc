// The five stops of the tour, and where its card goes next to them.
import { t } from '../i18n/translate.ts';

export interface Stop {
  /** The `data-tour` attributes of its place. The first visible one counts. */
  readonly places: readonly string[];
  readonly title: string;
  readonly text: string;
}

export function stops(): readonly [Stop, ...Stop[]] {
  return [
    {
      places: ['pages'],
      title: t('Two ways to work'),
      text: t(
        'The chat has assistants for your notes and recipes. Claude Code works in folders on this machine and asks before it changes anything.',
      ),
    },
    {
      places: ['composer'],
      title: t('Say what you need'),
      text: t(
        'Write here, and drop or paste files. While Claude works, further messages wait in a queue. Escape stops the answer.',
      ),
    },
    {
      places: ['search'],
      title: t('One search for everything'),
      text: t('Finds conversations and what was said in them, files, recipes, settings and commands.'),
    },
    {
      places: ['person'],
      title: t('You and your devices'),
      text: t('Settings, language, dark mode, and notifications for when Claude needs you.'),
    },
    {
      places: ['help', 'person'],
      title: t('If you get stuck'),
      text: t('The help works offline. You can also take this tour again or report a problem here.'),
    },
  ];
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

const gap = 12;

/** Below the place if there is room, or else above it; centered if there is no place. Never outside the window. */
export function cardPosition(place: Box | undefined, card: Size, page: Size): { left: number; top: number } {
  const inside = (at: number, size: number, room: number) => Math.max(gap, Math.min(at, room - size - gap));
  if (!place)
    return {
      left: inside((page.width - card.width) / 2, card.width, page.width),
      top: inside((page.height - card.height) / 2, card.height, page.height),
    };
  const below = place.top + place.height + gap;
  const top = below + card.height + gap <= page.height ? below : place.top - card.height - gap;
  const left = place.left + place.width / 2 - card.width / 2;
  return { left: inside(left, card.width, page.width), top: inside(top, card.height, page.height) };
}
