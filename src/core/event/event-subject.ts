import type { Issuer } from '#core/command/command.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { RoomId } from '#core/room/room.ts';
import type { HomeEvent } from './event.ts';

/** What an event is about, for those who want, or may see, only some of the events. */
export type EventSubject = {
  readonly deviceIds: readonly DeviceId[];
  /** The rooms to which it matters: where the device is, and where it was until now. */
  readonly roomIds: readonly RoomId[];
  /** Where the device that it is about is right after it, and where it was before. */
  readonly moved: { readonly from: RoomId | null; readonly to: RoomId | null } | null;
  /** Who gave the command that it is about. */
  readonly issuer: Issuer | null;
  /** Set where the event concerns this login or API token alone and nobody else may see it. */
  readonly onlyFor: string | null;
};

const NOTHING: EventSubject = { deviceIds: [], roomIds: [], moved: null, issuer: null, onlyFor: null };

export function subjectOf(event: HomeEvent): EventSubject {
  if ('device' in event) {
    const { id, roomId: to } = event.device;
    const from = event.type === 'device.changed' ? event.oldRoomId : to;
    const roomIds = [to, from === to ? null : from].filter((one) => one !== null);
    return { ...NOTHING, deviceIds: [id], roomIds, moved: { from, to } };
  }
  if ('room' in event) return { ...NOTHING, roomIds: [event.room.id] };
  if (event.type === 'command.changed') {
    const { results, createdBy } = event.command;
    return { ...NOTHING, deviceIds: [...new Set(results.map(({ deviceId }) => deviceId))], issuer: createdBy };
  }
  if (event.type === 'session.revoked') return { ...NOTHING, onlyFor: event.sessionId };
  if (event.type === 'api_token.revoked') return { ...NOTHING, onlyFor: event.tokenId };
  return NOTHING;
}
