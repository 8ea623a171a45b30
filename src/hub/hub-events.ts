import type { Log } from '#base/log.ts';
import type { Clock } from '#base/time/clock.ts';
import { createEventLog, type EventLog } from '#core/event/event-log.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { createEventEncoder } from '#http/event/json.ts';
import { rightOfEvent } from '#http/answer/home-events.ts';

const MIB = 1024 * 1024;
/** Events kept for clients that reconnect: for each kind as many as are promised for all kinds together. */
const KEPT_EVENTS = {
  sizes: {
    feature: { capacity: 16_384, maxBytes: 12 * MIB },
    inventory: { capacity: 10_240, maxBytes: 14 * MIB },
    passing: { capacity: 10_240, maxBytes: 6 * MIB },
    asked: { capacity: 1_024, maxBytes: MIB / 2 },
  },
  startLater: (run: () => void): void => void setImmediate(run),
};

type EventsDeps = { readonly clock: Clock; readonly log: Log };

/** The events of the home. No event names a room before `late` has them. */
export function openEvents(
  { clock, log }: EventsDeps,
  epoch: string,
  late: { readonly rooms?: Pick<RoomRegistry, 'findRoom'> },
): EventLog {
  return createEventLog({
    ...KEPT_EVENTS,
    epoch,
    monotonicMs: clock.monotonicMs,
    log: log.part('events'),
    rightOf: rightOfEvent,
    encode: createEventEncoder({ findRoom: (id) => late.rooms?.findRoom(id), wallMs: clock.wallMs }),
  });
}

/** What runs with the rights of a session or token ends with it. */
export function reviewAfterRevocations({ subscribe }: EventLog, late: { readonly reviewRights?: () => void }): void {
  subscribe(({ type }) => {
    if (type === 'session.revoked' || type === 'api_token.revoked') late.reviewRights?.();
  });
}
