import type { DeviceId, RoomId } from './device.ts';
import type { HomeEvent } from './event.ts';

/** What an event is about, for those who want only some of the events. */
export type EventSubject = {
  readonly deviceIds: readonly DeviceId[];
  /** The rooms to which it matters: where the device is, and where it was until now. */
  readonly roomIds: readonly RoomId[];
  /** Set where the event concerns this session alone and nobody else may see it. */
  readonly sessionId: string | null;
};

const NOTHING: EventSubject = { deviceIds: [], roomIds: [], sessionId: null };

export function subjectOf(event: HomeEvent): EventSubject {
  if ('device' in event) {
    const oldRoomId = event.type === 'device.changed' ? event.oldRoomId : null;
    const roomIds = [event.device.roomId, oldRoomId].filter((id) => id !== null);
    return { ...NOTHING, deviceIds: [event.device.id], roomIds };
  }
  if ('room' in event) return { ...NOTHING, roomIds: [event.room.id] };
  if (event.type === 'command.changed') {
    return { ...NOTHING, deviceIds: [...new Set(event.command.results.map((result) => result.deviceId))] };
  }
  if (event.type === 'session.revoked') return { ...NOTHING, sessionId: event.sessionId };
  return NOTHING;
}
