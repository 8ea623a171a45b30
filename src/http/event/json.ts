import { z } from 'zod/mini';
import { INTEGRATION_STATES, type IntegrationStatus } from '#core/integration/integration-status.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { EXPORTER_STATES } from '#core/exporter/exporter.ts';
import type { EncodedEvent } from '#core/event/event-log.ts';
import type { Device } from '#core/device/device.ts';
import { statusErrorForAll } from '#core/integration/status-error.ts';
import { foundJson, foundSchema } from '#http/integration-found/json.ts';
import { integrationSetupJson, integrationSetupSchema } from '#http/integration-setup/json.ts';
import { clockChangeJson, clockSchema } from '#http/place/json.ts';
import { integrationErrorSchema } from '#http/integration/json.ts';
import { pairingProgressJson, pairingProgressSchema } from '#http/integration/pairing-json.ts';
import { notificationJson, notificationSchema } from '#http/notification/json.ts';
import { modeJson, modeSchema } from '#http/mode/json.ts';
import { variableJson, variableSchema } from '#http/variable/json.ts';
import { personPresenceJson, personPresenceSchema } from '#http/presence/json.ts';
import { activeSceneSchema, sceneSummaryJson, sceneSummarySchema } from '#http/scene/json.ts';
import { roomJson, roomSchema } from '#http/room/json.ts';
import { causeJson, causeSchema, commandJson, commandSchema } from '#http/command/json.ts';
import {
  availabilityJson,
  deviceJson,
  deviceReferenceSchema,
  deviceSchema,
  featureSchema,
  featureStateJson,
  type FindRoom,
} from '#http/device/json.ts';
import { described, named } from '#http/note/described.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { AUTOMATION_EVENT_DATA, AUTOMATION_EVENT_SCHEMAS } from './automation-events.ts';
import { encodeEvent } from './frame.ts';

const sceneReferenceSchema = z.object({ id: z.uuid(), selector: z.string(), name: z.string() });

/** In W; `null` for what is unknown, or not possible with the settings. */
const energyPowersSchema = named(
  'EnergyPowers',
  z.object({
    grid_power: z.nullable(z.number()),
    solar_power: z.nullable(z.number()),
    battery_power: z.nullable(z.number()),
    home_power: z.nullable(z.number()),
  }),
);

const integrationStateSchema = z.object({
  id: z.string(),
  status: z.enum(INTEGRATION_STATES),
  since: timeSchema,
  error: z.nullable(integrationErrorSchema),
});

/** The time, which every event has. */
const at = timeSchema;

/**
 * The data of each type of event. A client that folds them over a list of devices has the list as it is now:
 * `device.added` and `device.changed` have the whole device, the others only what changed in it. After `room.changed`,
 * the devices in that room show its new name without an event of their own. A change of only `last_seen_at` or
 * `observed_at` makes no event.
 */
export const EVENT_SCHEMAS = {
  'device.added': z.object({ device: deviceSchema, at }),
  /** A change of name, room, identity or features. */
  'device.changed': z.object({ device: deviceSchema, at }),
  'device.removed': z.object({ device: deviceReferenceSchema, at }),
  'room.added': z.object({ room: roomSchema, at }),
  'room.changed': z.object({ room: roomSchema, at }),
  'room.removed': z.object({ room: roomSchema, at }),
  'mode.changed': described(
    'Added, set, changed, or removed. Only for callers that see the whole home.',
    z.object({ mode: modeSchema, gone: z.boolean(), at }),
  ),
  'variable.changed': described(
    'Added, set, changed, or removed. Only for callers with the right `automation:read`.',
    z.object({ variable: variableSchema, gone: z.boolean(), at }),
  ),
  'presence.changed': described(
    'The state of a person, or what it rests on. Only for callers with the right `automation:read`.',
    z.object({ presence: personPresenceSchema, at }),
  ),
  'availability.changed': z.object({
    device: deviceReferenceSchema,
    availability: deviceSchema.shape.availability,
    at,
  }),
  /** A change of the value or of its quality. `changed_at` changes only with the value. */
  'feature.changed': z.object({
    device: deviceReferenceSchema,
    feature: z.pick(featureSchema, { key: true, value: true, quality: true, observed_at: true, changed_at: true }),
    cause: described(
      'The command that the change answers. `null`: nobody commanded it, so a new value that is confirmed was set by hand or by the device itself. That is evidence and no proof: a hand that does the same as a command, while its reports may still come, is taken for the command.',
      z.nullable(causeSchema),
    ),
    at,
  }),
  'feature.occurred': described(
    'Something that happened and is over, such as the press of a button. Never sent when older than 5 s.',
    z.object({
      device: deviceReferenceSchema,
      feature: z.object({ key: z.string() }),
      occurrence: z.object({ action: z.string(), count: z.optional(z.number()), raw: z.string() }),
      at,
    }),
  ),
  'energy.changed': described(
    'What `GET /api/v1/energy` answers has changed, at most once in ten seconds. Only for callers with the right `history:read`.',
    z.object({ energy: energyPowersSchema, at }),
  ),
  'scene.added': z.object({ scene: sceneSummarySchema, at }),
  /** A change of the scene or of whether it is active; the latter at most once a second. */
  'scene.changed': z.object({ scene: sceneSummarySchema, at }),
  'scene.removed': z.object({ scene: sceneReferenceSchema, at }),
  'scene.activated': z.object({
    scene: sceneReferenceSchema,
    command: described('Id.', z.string()),
    by: commandSchema.shape.created_by,
    at,
  }),
  ...AUTOMATION_EVENT_SCHEMAS,
  'command.changed': z.object({ command: commandSchema, at }),
  'integration.added': z.object({
    integration: z.object({ ...integrationStateSchema.shape, kind: z.string(), name: z.string() }),
    at,
  }),
  /** A change of its status, or of its name or settings, which the event does not have. */
  'integration.changed': z.object({ integration: integrationStateSchema, at }),
  'integration.removed': z.object({ integration: z.object({ id: z.string() }), at }),
  'integration.found': described(
    'Something was discovered, has changed, or is not there any more, because it left or became an integration. Only for callers with the right `hub:manage`.',
    z.object({ found: foundSchema, gone: z.boolean(), at }),
  ),
  'integration_setup.changed': described(
    'Only for callers with the right `hub:manage`.',
    z.object({ setup: integrationSetupSchema, at }),
  ),
  'pairing.changed': described(
    'Only for callers with the right `device:manage`.',
    z.object({ integration: z.object({ id: z.string() }), pairing: pairingProgressSchema, at }),
  ),
  'notification.added': described(
    'Only for callers with the right `notification:read`; guests get what is for them.',
    z.object({ notification: notificationSchema, at }),
  ),
  'notification.changed': described(
    'Its content or state has changed, or it comes again because nobody has acknowledged it.',
    z.object({ notification: notificationSchema, at }),
  ),
  'exporter.changed': described(
    'The status of an exporter, or its settings, which the event does not have. Only for callers with the right `hub:manage`.',
    z.object({ exporter: z.object({ id: z.uuid(), status: z.enum([...EXPORTER_STATES, 'removed']) }), at }),
  ),
  'exporter.gap': described(
    'The history forgot samples, at most so many, before the receiver had them. It has everything up to `from`; `null` if it has nothing. Only for callers with the right `hub:manage`.',
    z.object({
      exporter: z.object({ id: z.uuid() }),
      samples: z.int(),
      from: z.nullable(timeSchema),
      at,
    }),
  ),
  'clock.changed': described(
    'The hub knows the time of day from elsewhere now, or the time jumped by so many seconds. Only for callers with the right `automation:read`.',
    z.object({ clock: clockSchema, by_s: z.number(), at }),
  ),
  /** Sent only to that session, as the last event of its streams. */
  'session.revoked': z.object({ session: z.object({ id: z.string() }), at }),
  /** Sent only to the streams of that token, as the last event of each. */
  'api_token.revoked': z.object({ api_token: z.object({ id: z.string() }), at }),
} as const satisfies Record<HomeEvent['type'], z.ZodMiniType>;

/** Events of the stream itself. */
export const CONTROL_SCHEMAS = {
  'hub.heartbeat': z.object({ at }),
  'hub.gap': described(
    'This client has lost the events between the two cursors. `from` is `null` if the client sent no valid cursor. In a stream a snapshot follows; read again what it does not hold (commands, integrations).',
    z.object({
      from: z.nullable(z.string()),
      to: z.string(),
      reason: described(
        '`paused`: only for a webhook, which was off in the meantime. `view_changed`: the person now sees another part of the home.',
        z.enum(['restarted', 'too_old', 'unknown_cursor', 'overrun', 'paused', 'view_changed']),
      ),
      at,
    }),
  ),
  'hub.snapshot': described(
    'The home at `cursor`, in parts of at most 64 KiB, unless a single device is larger. Only the last part has an id: a client that loses its connection between two parts goes on from before the snapshot and gets it again.',
    z.object({
      cursor: z.string(),
      part: z.int(),
      last: z.boolean(),
      rooms: z.array(roomSchema),
      scenes: z.array(activeSceneSchema),
      devices: z.array(deviceSchema),
    }),
  ),
} as const;

export const EVENT_TYPES = [...Object.keys(EVENT_SCHEMAS), ...Object.keys(CONTROL_SCHEMAS)];

/** Makes the bytes of each event, which then serve all clients. */
export function createEventEncoder(deps: EncoderDeps): (event: HomeEvent, cursor: string) => EncodedEvent {
  return (event, cursor) => {
    const dataOf = DATA[event.type] as DataOf<HomeEvent['type']>;
    const data = { ...dataOf(event, deps), at: timeJson(deps.wallMs()) };
    return encodeEvent(event.type, JSON.stringify(data), cursor);
  };
}

type EncoderDeps = { readonly findRoom: FindRoom; readonly wallMs: () => number };
type DataOf<Type> = (event: Extract<HomeEvent, { readonly type: Type }>, deps: EncoderDeps) => Record<string, unknown>;

const DATA: { readonly [Type in HomeEvent['type']]: DataOf<Type> } = {
  'device.added': ({ device }, { findRoom }) => ({ device: deviceJson(device, findRoom) }),
  'device.changed': ({ device }, { findRoom }) => ({ device: deviceJson(device, findRoom) }),
  'device.removed': ({ device }) => ({ device: referenceTo(device) }),
  'room.added': ({ room }) => ({ room: roomJson(room) }),
  'room.changed': ({ room }) => ({ room: roomJson(room) }),
  'room.removed': ({ room }) => ({ room: roomJson(room) }),
  'mode.changed': ({ mode, endMs, isGone }) => ({ mode: modeJson(mode, endMs), gone: isGone }),
  'variable.changed': ({ variable, isGone }) => ({ variable: variableJson(variable), gone: isGone }),
  'presence.changed': ({ user, presence }) => ({ presence: personPresenceJson(user, presence) }),
  'availability.changed': ({ device, availability }) => ({
    device: referenceTo(device),
    availability: availabilityJson(availability),
  }),
  'feature.changed': ({ device, key, state, cause }) => ({
    device: referenceTo(device),
    feature: { key, ...featureStateJson(state) },
    cause: causeJson(cause),
  }),
  'feature.occurred': ({ device, key, occurrence }) => ({ device: referenceTo(device), feature: { key }, occurrence }),
  'energy.changed': ({ powers }) => ({ energy: powers }),
  'scene.added': ({ scene, activity }, { findRoom }) => ({ scene: sceneSummaryJson(scene, activity, findRoom) }),
  'scene.changed': ({ scene, activity }, { findRoom }) => ({ scene: sceneSummaryJson(scene, activity, findRoom) }),
  'scene.removed': ({ scene: { id, selector, name } }) => ({ scene: { id, selector, name } }),
  'scene.activated': ({ scene: { id, selector, name }, command, by }) => ({
    scene: { id, selector, name },
    command,
    by: { type: by.type, id: by.id },
  }),
  ...AUTOMATION_EVENT_DATA,
  'command.changed': ({ command }) => ({ command: commandJson(command) }),
  'integration.added': ({ integration, kind, name, status }) => ({
    integration: { ...stateJson(integration, status), kind, name },
  }),
  'integration.changed': ({ integration, status }) => ({ integration: stateJson(integration, status) }),
  'integration.removed': ({ integration }) => ({ integration: { id: integration } }),
  'integration.found': ({ found, isGone }) => ({ found: foundJson(found), gone: isGone }),
  'integration_setup.changed': ({ setup }, { wallMs }) => ({
    setup: integrationSetupJson(setup, { wallMs, isOwner: false }),
  }),
  'pairing.changed': ({ integration, pairing }) => ({
    integration: { id: integration },
    pairing: pairingProgressJson(pairing),
  }),
  'notification.added': ({ notification }) => ({ notification: notificationJson(notification) }),
  'notification.changed': ({ notification }) => ({ notification: notificationJson(notification) }),
  'exporter.changed': ({ exporter, status }) => ({ exporter: { id: exporter, status } }),
  'exporter.gap': ({ exporter, samples, fromMs }) => ({ exporter: { id: exporter }, samples, from: timeJson(fromMs) }),
  'clock.changed': ({ clock }) => clockChangeJson(clock),
  'session.revoked': ({ sessionId }) => ({ session: { id: sessionId } }),
  'api_token.revoked': ({ tokenId }) => ({ api_token: { id: tokenId } }),
};

function stateJson(id: string, { state, sinceMs, error }: IntegrationStatus): z.infer<typeof integrationStateSchema> {
  return { id, status: state, since: timeJson(sinceMs), error: statusErrorForAll(error) };
}

function referenceTo({ id, selector }: Device): z.infer<typeof deviceReferenceSchema> {
  return { id, selector };
}
