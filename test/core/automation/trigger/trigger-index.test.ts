import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deviceWith } from '#test/support/automation/trigger-stage.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { Happening } from '#core/automation/trigger/happening.ts';
import { createTriggerIndex } from '#core/automation/trigger/trigger-index.ts';
import type { RoomId } from '#core/room/room.ts';

const value = (id: string, key: string): Happening => ({
  kind: 'value',
  device: id as DeviceId,
  key,
  from: undefined,
  shown: undefined,
});
const room = 'hall' as RoomId;
const MOTION: Trigger = { id: 't1', type: 'feature', any_of: { room, capability: 'motion' }, to: true };

describe('the index of triggers', () => {
  test('finds a device that joined, and loses one that left the room', () => {
    const index = createTriggerIndex<string>();
    const find = () => index.find(value('a', 'motion')).map(({ owner }) => owner);
    index.put('rule', [MOTION]);
    expect(find()).toEqual([]);
    index.noteDevice('a' as DeviceId, deviceWith('a', ['motion'], { roomId: room }));
    expect(find()).toEqual(['rule']);
    expect(index.members(MOTION)).toEqual([{ device: 'a', key: 'motion' }]);
    index.noteDevice('a' as DeviceId, deviceWith('a', ['motion'], { roomId: null }));
    expect(find()).toEqual([]);
    expect(index.members(MOTION)).toEqual([]);
  });

  test('finds the triggers of those who were put first at first, also for a device that came later', () => {
    const index = createTriggerIndex<string>();
    index.put('first', [MOTION]);
    index.put('second', [{ id: 't1', type: 'feature', device: 'a' as DeviceId, key: 'motion' }]);
    index.noteDevice('a' as DeviceId, deviceWith('a', ['motion'], { roomId: room }));
    expect(index.find(value('a', 'motion')).map(({ owner }) => owner)).toEqual(['first', 'second']);
  });

  test('does not take a group for one more sensor', () => {
    const index = createTriggerIndex<string>();
    index.put('rule', [MOTION]);
    index.noteDevice('g' as DeviceId, deviceWith('g', ['motion'], { roomId: room, integration: 'group' }));
    expect(index.find(value('g', 'motion'))).toEqual([]);
  });

  test('keeps a trigger for its other owner', () => {
    const index = createTriggerIndex<string>();
    index.noteDevice('a' as DeviceId, deviceWith('a', ['motion'], { roomId: room }));
    index.put('one', [MOTION]);
    index.put('other', [MOTION]);
    index.remove('one');
    expect(index.find(value('a', 'motion')).map(({ owner }) => owner)).toEqual(['other']);
    expect(index.members(MOTION)).toHaveLength(1);
  });

  test('finds what a look at all triggers finds, whatever came and went before', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const key = fc.constantFrom('motion', 'on', 'button');
    const rooms = fc.constantFrom<RoomId | null>(null, room, 'attic' as RoomId);
    const selection = fc.record(
      { room: fc.constantFrom(room, 'attic' as RoomId), capability: key, except: fc.array(id, { maxLength: 1 }) },
      { requiredKeys: ['capability'] },
    );
    const trigger = fc.oneof(
      fc.record({ id: fc.constant('t'), type: fc.constantFrom('feature', 'occurrence', 'threshold'), device: id, key }),
      fc.record({
        id: fc.constant('t'),
        type: fc.constantFrom('feature', 'occurrence', 'availability'),
        any_of: selection,
      }),
      fc.record({
        id: fc.constant('t'),
        type: fc.constant('presence'),
        person: fc.constantFrom('a', 'anyone'),
        to: fc.constant('home'),
      }),
      fc.record({ id: fc.constant('t'), type: fc.constant('mode'), mode: fc.constantFrom('home', 'other') }),
    ) as fc.Arbitrary<Trigger>;
    const step = fc.oneof(
      fc.record({ put: fc.constantFrom('x', 'y', 'z'), triggers: fc.array(trigger, { maxLength: 3 }) }),
      fc.record({ remove: fc.constantFrom('x', 'y', 'z') }),
      fc.record({ device: id, keys: fc.uniqueArray(key), roomId: rooms }),
      fc.record({ gone: id }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const index = createTriggerIndex<string>();
        const owned = new Map<string, readonly Trigger[]>();
        const devices = new Map<string, Device>();
        for (const one of steps) {
          if ('put' in one) {
            owned.delete(one.put);
            owned.set(one.put, one.triggers);
            index.put(one.put, one.triggers);
          } else if ('remove' in one) {
            owned.delete(one.remove);
            index.remove(one.remove);
          } else if ('gone' in one) {
            devices.delete(one.gone);
            index.noteDevice(one.gone as DeviceId, undefined);
          } else {
            const device = deviceWith(one.device, one.keys, { roomId: one.roomId });
            devices.set(one.device, device);
            index.noteDevice(device.id, device);
          }
        }
        for (const happening of ALL) {
          const naive = [...owned].flatMap(([owner, triggers]) =>
            triggers.filter((trigger) => concerns(trigger, happening, devices)).map((trigger) => ({ owner, trigger })),
          );
          expect(index.find(happening).map(({ owner, trigger }) => ({ owner, trigger }))).toEqual(naive);
        }
      }),
      searchOf(1000),
    );
  });
});

const ALL: readonly Happening[] = [
  ...['a', 'b', 'c'].flatMap((id): Happening[] => [
    value(id, 'motion'),
    value(id, 'on'),
    { kind: 'occurrence', device: id as DeviceId, key: 'button', occurrence: { action: 'single', raw: '' } },
    { kind: 'availability', device: id as DeviceId, from: 'online', to: 'offline' },
  ]),
  { kind: 'presence', person: 'a', from: 'home', to: 'away' },
  { kind: 'mode', mode: 'home', from: 'home', to: 'away', cause: null },
];

/** The text of the design, without an index. */
function concerns(trigger: Trigger, happening: Happening, devices: ReadonlyMap<string, Device>): boolean {
  if (happening.kind === 'presence')
    return trigger.type === 'presence' && ['anyone', happening.person].includes(trigger.person);
  if (happening.kind === 'mode') return trigger.type === 'mode' && trigger.mode === happening.mode;
  if (!('device' in happening) || trigger.type === 'presence' || trigger.type === 'mode') return false;
  const isFitting =
    (happening.kind === 'value' && (trigger.type === 'feature' || trigger.type === 'threshold')) ||
    (happening.kind === 'occurrence' && trigger.type === 'occurrence') ||
    (happening.kind === 'availability' && trigger.type !== 'occurrence');
  if (!isFitting) return false;
  const key = 'key' in happening ? happening.key : undefined;
  if ('device' in trigger)
    return trigger.device === happening.device && (key === undefined || ('key' in trigger && trigger.key === key));
  if (!('any_of' in trigger)) return false;
  const { room: inRoom, capability, except } = trigger.any_of;
  const device = devices.get(happening.device);
  if (device === undefined || except?.includes(device.id) === true) return false;
  if (inRoom !== undefined && device.roomId !== inRoom) return false;
  const kind = trigger.type === 'occurrence' ? 'event' : 'state';
  return device.features.some(
    (one) =>
      one.capability === capability &&
      (key === undefined || one.key === key) &&
      (trigger.type === 'availability' || one.kind === kind),
  );
}
