import { computed, type ReadonlySignal, signal } from '@preact/signals';
import { page as pageWords } from '#web/strings/en/page.ts';
import { timeWords } from '#web/strings/formats.ts';

/** The hub's time, taken from its events: the clock of a browser may be wrong. */
export type HubTime = {
  /** Milliseconds; moves on a few times a minute. */
  readonly nowMs: ReadonlySignal<number>;
  /** By how many minutes the clocks differ; `null` if that is too little to mention. */
  readonly apartMinutes: ReadonlySignal<number | null>;
  readonly takeTime: (at: string) => void;
  /** When the hub was last heard, as a time of day. */
  readonly lastHeard: () => string;
  /** `3 min ago`, `14:02`, `yesterday, 14:02`; in the browser's zone. */
  readonly agoOf: (at: string) => string;
  /** `14:02`, `yesterday, 14:02`, `3 May`. */
  readonly momentOf: (at: string) => string;
};

const TICK_MS = 10_000;
const WORTH_TELLING_MINUTES = 5;

export function createHubTime(): HubTime {
  const offsetMs = signal(0);
  const tick = signal(Date.now());
  setInterval(() => (tick.value = Date.now()), TICK_MS);
  let heardAt: string | undefined;
  const nowMs = computed(() => tick.value + offsetMs.value);

  const momentOf = (at: string): string => {
    const then = new Date(at);
    const today = new Date(nowMs.value);
    if (then.toDateString() === today.toDateString()) return timeWords(then, 'clock');
    const yesterday = new Date(today);
    yesterday.setDate(today.getDate() - 1);
    if (then.toDateString() === yesterday.toDateString()) return pageWords.time.yesterday(timeWords(then, 'clock'));
    return timeWords(then, then.getFullYear() === today.getFullYear() ? 'day' : 'date');
  };
  return {
    nowMs,
    apartMinutes: computed(() => {
      const minutes = Math.round(Math.abs(offsetMs.value) / 60_000);
      return minutes < WORTH_TELLING_MINUTES ? null : minutes;
    }),
    lastHeard: () => timeWords(new Date(heardAt ?? Date.now()), 'clock'),
    takeTime: (at) => {
      heardAt = at;
      const offset = Date.parse(at) - Date.now();
      // Messages take a moment to arrive: small differences are ignored, so that nothing flickers.
      if (Math.abs(offset - offsetMs.peek()) > 5_000) offsetMs.value = offset;
    },
    agoOf: (at) => {
      const seconds = (nowMs.value - Date.parse(at)) / 1000;
      if (seconds < 50) return pageWords.time.justNow;
      if (seconds < 3600) return pageWords.time.minutes(Math.max(1, Math.round(seconds / 60)));
      if (seconds < 6 * 3600) return pageWords.time.hours(Math.round(seconds / 3600));
      return momentOf(at);
    },
    momentOf,
  };
}
