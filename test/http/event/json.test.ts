import { makeAutomation, makeNotification } from '#test/storage/storage-makers.ts';
import { expect, test } from 'vitest';
import type { EventRight, HomeEvent } from '#core/event/event.ts';
import { dataOf } from '#core/event/event-log.ts';
import { declareEvents, eventSchemas, rightOfEvent } from '#http/answer/home-events.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import type { User, UserId } from '#core/person/user.ts';
import { unknownPresence } from '#core/presence/presence.ts';
import type { Variable } from '#core/variable/variable.ts';
import type { Room } from '#core/room/room.ts';
import { createTestEncoder } from '#test/support/hub/http-app.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';

const home = await openTestHome(['Lamp']);
const room: Room = await home.rooms.addRoom('Kitchen');
const device = home.registry.findDevice('lamp');
if (device === undefined) throw new Error('there is no lamp');
const encode = createTestEncoder({ findRoom: home.rooms.findRoom, wallMs: () => 0 });
const readData = (event: HomeEvent): unknown => JSON.parse(dataOf(encode(event, 'run1-1')));

const variable: Variable = {
  key: 'bedtime',
  name: 'Bedtime',
  type: 'time',
  value: '22:30',
  min: null,
  max: null,
  options: [],
  changedAtMs: 1,
  changedBy: { type: 'session', id: 's', userId: 'u' as UserId },
  revision: 1,
};
const state = { value: true, quality: 'confirmed', observedAtMs: 1, changedAtMs: 1 } as const;
const EVENTS: readonly HomeEvent[] = [
  { type: 'device.added', device },
  { type: 'device.changed', device, oldRoomId: null },
  { type: 'device.removed', device },
  { type: 'room.added', room },
  { type: 'room.changed', room },
  { type: 'room.removed', room },
  { type: 'mode.changed', mode: HOME_MODE, endMs: undefined, isGone: false },
  { type: 'mode.changed', mode: { ...HOME_MODE, changedBy: 'until' }, endMs: 9, isGone: true },
  { type: 'variable.changed', variable, isGone: false },
  {
    type: 'presence.changed',
    user: { id: room.id, name: 'Ada' } as unknown as User,
    presence: { ...unknownPresence('u'), state: 'home', evidence: 'told', sinceMs: 5 },
  },
  { type: 'availability.changed', device, availability: device.availability },
  { type: 'feature.changed', device, key: 'on', state, cause: null },
  { type: 'feature.occurred', device, key: 'press', occurrence: { action: 'single', count: 2, raw: '1' } },
  {
    type: 'integration.changed',
    integration: 'z',
    status: { state: 'error', sinceMs: 0, error: { code: 'X', message: 'y' } },
  },
  {
    type: 'pairing.changed',
    integration: 'z',
    pairing: { step: 'interview_done', externalId: '0x1', deviceId: device.id, seconds: null, detail: { model: 'm' } },
  },
  { type: 'notification.added', notification: makeNotification(1, { deviceId: device.id }) },
  {
    type: 'notification.changed',
    notification: makeNotification(1, { acknowledged: { atMs: 1, by: 'u' }, resolvedAtMs: 2 }),
  },
  { type: 'automation.added', automation: makeAutomation(1), state: { state: 'ready' } },
  { type: 'automation.changed', automation: makeAutomation(1), state: { state: 'broken', faults: [] } },
  { type: 'automation.removed', automation: makeAutomation(1) },
  { type: 'automation.run', automation: makeAutomation(1), run: 'r', phase: 'waiting', outcome: 'running' },
  { type: 'automation.run.dull', automation: makeAutomation(1), run: 'r', phase: 'finished', outcome: 'not_met' },
  { type: 'clock.changed', clock: { source: 'owner', nowMs: 9, shiftMs: -1500 } },
  { type: 'session.revoked', sessionId: 's', userId: 'u' },
  { type: 'api_token.revoked', tokenId: 't', userId: 'u' },
];

test.each(EVENTS.map((event) => [event.type, event] as const))('%s matches its published schema', (type, event) => {
  eventSchemas().get(type)?.parse(readData(event));
  expect(readData(event)).toMatchObject({ at: '1970-01-01T00:00:00.000Z' });
});

test('a frame is an id, a type and one line of data, even with line breaks in the name of a device', () => {
  const hostile: Device = { ...device, id: 'x' as DeviceId, name: 'a\n\nid: 9\r\ndata: \u2028"', ownName: null };
  const encoded = encode({ type: 'device.added', device: hostile }, 'run1-7');
  expect(encoded.frame.toString().split('\n')).toEqual([
    'id: run1-7',
    'event: device.added',
    expect.stringMatching(/^data: \{.*\}$/s),
    '',
    '',
  ]);
  expect(JSON.parse(dataOf(encoded))).toMatchObject({ device: { name: hostile.name } });
});

/** It has every type: a noun of core that adds one is an error of types here. */
const RIGHTS: Readonly<Record<HomeEvent['type'], EventRight | null>> = {
  // Their subject decides: a device, a room, a scene, a command, a notification or a login.
  'device.added': null,
  'device.changed': null,
  'device.removed': null,
  'room.added': null,
  'room.changed': null,
  'room.removed': null,
  'availability.changed': null,
  'feature.changed': null,
  'feature.occurred': null,
  'scene.added': null,
  'scene.changed': null,
  'scene.removed': null,
  'scene.activated': null,
  'command.changed': null,
  'notification.added': null,
  'notification.changed': null,
  'session.revoked': null,
  'api_token.revoked': null,
  // They tell of the whole home.
  'mode.changed': 'device:read',
  'variable.changed': 'automation:read',
  'presence.changed': 'automation:read',
  'clock.changed': 'automation:read',
  'automation.added': 'automation:read',
  'automation.changed': 'automation:read',
  'automation.removed': 'automation:read',
  'automation.run': 'automation:read',
  'automation.run.dull': 'automation:read',
  'energy.changed': 'history:read',
  'integration.added': 'device:read',
  'integration.changed': 'device:read',
  'integration.removed': 'device:read',
  'integration.found': 'hub:manage',
  'integration_setup.changed': 'hub:manage',
  'pairing.changed': 'device:manage',
  'exporter.changed': 'hub:manage',
  'exporter.gap': 'hub:manage',
};

test('each type of event is declared, with the right to read what it is about', () => {
  const types = [...eventSchemas().keys()];
  expect(Object.fromEntries(types.map((type) => [type, rightOfEvent(type)]))).toEqual(RIGHTS);
});

test('a type of event has one right: no second noun declares it, and none after the first route was made', () => {
  const form = { shape: {}, json: () => ({}) };
  expect(() => declareEvents(1, null, { 'exporter.gap': form })).toThrow('two nouns declare the event exporter.gap');
  const later = { 'clock.set': form } as unknown as Parameters<typeof declareEvents>[2];
  expect(() => declareEvents(1, null, later)).toThrow('clock.set is declared after the first route');
  expect(rightOfEvent('exporter.gap')).toBe('hub:manage');
});
