import type { EventLog, KeptEvent } from '#core/event/event-log.ts';
import type { EventFilter } from './filter.ts';

/** A press of a button is not acted on any more after this long: no ghost presses. */
const OCCURRENCE_MS = 5_000;

export type EventLimits = {
  readonly maxBytes: number;
  readonly maxEvents: number;
  /** Nothing after this event. */
  readonly upTo?: number;
};

export type EventSelection = {
  readonly events: readonly KeptEvent[];
  /** Everything up to here was looked at. */
  readonly to: number;
};

export type SelectEvents = (position: number, filter: EventFilter | undefined, limits: EventLimits) => EventSelection;

/** Reads what came after a position that is still kept, for one who wants the events that the filter passes. */
export function createEventSelector(
  log: Pick<EventLog, 'lastSequence' | 'after'>,
  monotonicMs: () => number,
): SelectEvents {
  return (position, filter, limits) => {
    const last = Math.min(log.lastSequence(), limits.upTo ?? Number.POSITIVE_INFINITY);
    const nowMs = monotonicMs();
    const events: KeptEvent[] = [];
    let bytes = 0;
    for (const kept of log.after(position, filter?.kinds)) {
      if (kept.sequence > last) break;
      if (isTooLate(kept, nowMs)) continue;
      const event = filter === undefined ? kept : filter.show(kept);
      if (event === undefined) continue;
      bytes += event.bytes.length;
      // One that is larger than the limit goes alone.
      if (events.length > 0 && (bytes > limits.maxBytes || events.length >= limits.maxEvents)) {
        return { events, to: kept.sequence - 1 };
      }
      events.push(event);
    }
    return { events, to: last };
  };
}

function isTooLate({ type, monotonicMs }: KeptEvent, nowMs: number): boolean {
  return type === 'feature.occurred' && nowMs - monotonicMs > OCCURRENCE_MS;
}
