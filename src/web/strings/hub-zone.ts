import { signal } from '@preact/signals';

/** The zone of every time on the page: the hub's, and the browser's until the hub has said its own. */
const zone = signal<string | undefined>(undefined);

export function hubZone(): string | undefined {
  return zone.value;
}

export function adoptZone(name: string): void {
  zone.value = knownZone(name);
}

/** The zone of the browser. */
export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A zone that this browser does not know is shown as UTC. */
export function knownZone(name: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch (cause) {
    if (cause instanceof RangeError) return 'UTC';
    throw cause;
  }
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** Local time minus UTC, in ms. */
export function offsetAt(atMs: number, timeZone = hubZone()): number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, format);
  const wholeMs = Math.floor(atMs / 1000) * 1000;
  const parts = new Map(format.formatToParts(wholeMs).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - wholeMs;
}

/** The moment at which clocks of the zone show this; `localMs` is what they show, as if it were UTC. */
export function instantOf(localMs: number, timeZone = hubZone()): number {
  // The offset changes around a change of the clocks: the second look has that of the moment itself.
  return localMs - offsetAt(localMs - offsetAt(localMs, timeZone), timeZone);
}

/** `2026-11-29T18:00`: what clocks of the zone show at a moment, as fields of the browser have it. */
export function localTime(at: Date | number | string, timeZone = hubZone()): string {
  const atMs = new Date(at).getTime();
  return new Date(atMs + offsetAt(atMs, timeZone)).toISOString().slice(0, 16);
}
