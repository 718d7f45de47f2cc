// Kitchen timers. They run on when the panel is closed and when the page is loaded again.
import { useEffect, useState, useSyncExternalStore } from 'react';

export interface Timer {
  readonly id: string;
  readonly label: string;
  readonly recipeId: string;
  readonly endsAt: number;
}

const key = 'parley.timers';
/** One that nobody looked at for so long is forgotten. */
const forgottenAfterMs = 60 * 60 * 1_000;
const mostTimers = 20;
const listeners = new Set<() => void>();
let timers = read();

export function useTimers(): readonly Timer[] {
  return useSyncExternalStore(subscribe, () => timers);
}

export function startTimer(timer: Omit<Timer, 'endsAt'>, minutes: number): void {
  const others = timers.filter(({ id }) => id !== timer.id).slice(-mostTimers + 1);
  write([...others, { ...timer, endsAt: Date.now() + minutes * 60_000 }]);
}

export function stopTimer(id: string): void {
  write(timers.filter((timer) => timer.id !== id));
}

/** Seconds to go; below zero when it is over. Redraws once a second. */
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function read(): readonly Timer[] {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as Timer[];
    return kept.filter(({ endsAt }) => endsAt > Date.now() - forgottenAfterMs);
  } catch {
    return [];
  }
}

function write(changed: readonly Timer[]): void {
  timers = changed;
  localStorage.setItem(key, JSON.stringify(changed));
  tell();
}

function tell(): void {
  for (const listener of listeners) listener();
}

/** Tabs of one browser share their timers. */
window.addEventListener('storage', (event) => {
  if (event.key !== key) return;
  timers = read();
  tell();
});
