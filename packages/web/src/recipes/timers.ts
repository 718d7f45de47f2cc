// Kitchen timers. They keep running when the panel is closed or the page is reloaded.
import { ObservableValue } from '@parley/client';
import { useEffect, useState, useSyncExternalStore } from 'react';

export interface Timer {
  readonly id: string;
  readonly label: string;
  readonly recipeId: string;
  readonly endsAt: number;
}

const key = 'parley.timers';
/** How long a timer that is over stays. */
const removedAfterMs = 60 * 60 * 1_000;
const maxTimers = 20;
const timers = new ObservableValue(read());

export function useTimers(): readonly Timer[] {
  return useSyncExternalStore(timers.subscribe, timers.snapshot);
}

export function startTimer(timer: Omit<Timer, 'endsAt'>, minutes: number): void {
  const others = timers
    .snapshot()
    .filter(({ id }) => id !== timer.id)
    .slice(-maxTimers + 1);
  write([...others, { ...timer, endsAt: Date.now() + minutes * 60_000 }]);
}

export function stopTimer(id: string): void {
  write(timers.snapshot().filter((timer) => timer.id !== id));
}

/** Seconds left; negative when it is over. Renders once a second. */
export function useSecondsLeft({ endsAt }: Timer): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(ticking);
  }, []);
  return Math.ceil((endsAt - now) / 1_000);
}

export function clockText(seconds: number): string {
  const left = Math.max(0, seconds);
  const [hours, minutes] = [Math.floor(left / 3_600), Math.floor((left % 3_600) / 60)];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(left % 60)}` : `${minutes}:${two(left % 60)}`;
}

function read(): readonly Timer[] {
  try {
    const saved = JSON.parse(localStorage.getItem(key) ?? '[]') as Timer[];
    return saved.filter(({ endsAt }) => endsAt > Date.now() - removedAfterMs);
  } catch {
    return [];
  }
}

function write(changed: readonly Timer[]): void {
  localStorage.setItem(key, JSON.stringify(changed));
  timers.set(changed);
}

/** Tabs of one browser share their timers. */
window.addEventListener('storage', (event) => {
  if (event.key === key) timers.set(read());
});
