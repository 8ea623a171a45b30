import type { JsonValue } from '#base/json.ts';
import type { Command } from '#core/command/command.ts';
import type { Issuer } from '#core/command/issuer.ts';
import type { Availability, Device, DeviceId } from '#core/device/device.ts';
import type { FoundThing } from '#core/integration/found-thing.ts';
import type { Setup } from '#core/integration/setup-step.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import type { FeatureState, Occurrence } from '#core/feature/feature.ts';

/** Something that happened in the home. The device in an event is as it was right after it. */
export type HomeEvent =
  | { readonly type: 'device.added'; readonly device: Device }
  /** `oldRoomId`: the room before the change, for clients that follow only that room. */
  | { readonly type: 'device.changed'; readonly device: Device; readonly oldRoomId: RoomId | null }
  | { readonly type: 'device.removed'; readonly device: Device }
  | { readonly type: 'room.added'; readonly room: Room }
  | { readonly type: 'room.changed'; readonly room: Room }
  | { readonly type: 'room.removed'; readonly room: Room }
  | { readonly type: 'availability.changed'; readonly device: Device; readonly availability: Availability }
  | { readonly type: 'feature.changed'; readonly device: Device; readonly key: string; readonly state: FeatureState }
  | {
      readonly type: 'feature.occurred';
      readonly device: Device;
      readonly key: string;
      readonly occurrence: Occurrence;
    }
  /** The command's status changed. A change of only one result makes no event. */
  | { readonly type: 'command.changed'; readonly command: Command }
  | {
      readonly type: 'integration.added';
      readonly integration: string;
      readonly kind: string;
      readonly name: string;
      readonly status: IntegrationStatus;
    }
  /** A change of its status, or of its name or settings, which the event does not have. */
  | { readonly type: 'integration.changed'; readonly integration: string; readonly status: IntegrationStatus }
  | { readonly type: 'integration.removed'; readonly integration: string }
  /** Something was discovered, changed, or is not there any more. */
  | { readonly type: 'integration.found'; readonly found: FoundThing; readonly isGone: boolean }
  | { readonly type: 'integration_setup.changed'; readonly setup: Setup }
  | { readonly type: 'pairing.changed'; readonly integration: string; readonly pairing: PairingProgress }
  | { readonly type: 'session.revoked'; readonly sessionId: string; readonly userId: string }
  | { readonly type: 'api_token.revoked'; readonly tokenId: string; readonly userId: string };

export const INTEGRATION_STATES = ['connected', 'connecting', 'needs_action', 'error', 'off'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

export type IntegrationStatus = {
  readonly state: IntegrationState;
  readonly sinceMs: number;
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type PairingProgress = {
  readonly step: 'opened' | 'closed' | 'device_found' | 'interview_started' | 'interview_done' | 'interview_failed';
  readonly externalId: string | null;
  readonly deviceId: DeviceId | null;
  /** Seconds for which pairing stays open; only with `opened`. */
  readonly seconds: number | null;
  readonly detail: JsonValue;
};

/** What an event is about. It decides which clients want the event and which callers see it. */
export type EventSubject = {
  readonly deviceIds: readonly DeviceId[];
  /** The room of the device now, and the one before the event. */
  readonly roomIds: readonly RoomId[];
  /** The room of the device before and after the event. */
  readonly moved: { readonly from: RoomId | null; readonly to: RoomId | null } | null;
  /** Of the command in the event. */
  readonly issuer: Issuer | null;
  /** The only login or API token that may see the event; `null` for events that others may see as well. */
  readonly onlyFor: string | null;
  /** Only for callers who may manage the hub. */
  readonly isForKeepers: boolean;
};

/** Callers that may not set up integrations get none of these, and webhooks do not either. */
export const EVENTS_FOR_KEEPERS: ReadonlySet<HomeEvent['type']> = new Set<HomeEvent['type']>([
  'integration.found',
  'integration_setup.changed',
]);

const NOTHING: EventSubject = {
  deviceIds: [],
  roomIds: [],
  moved: null,
  issuer: null,
  onlyFor: null,
  isForKeepers: false,
};

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
  if (EVENTS_FOR_KEEPERS.has(event.type)) return { ...NOTHING, isForKeepers: true };
  if (event.type === 'session.revoked') return { ...NOTHING, onlyFor: event.sessionId };
  if (event.type === 'api_token.revoked') return { ...NOTHING, onlyFor: event.tokenId };
  return NOTHING;
}
