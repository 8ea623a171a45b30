import { describe, expect, test, vi } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { Feature } from '#core/feature/feature.ts';
import { createDeviceDisk } from '#test/support/hub/device-home.ts';
import { createFeature, describeLight } from '#test/support/hub/feature.ts';
import { openGroupHome } from './group-home.ts';

const number = (capability: Feature['capability'], details: Partial<Feature> = {}): Feature =>
  createFeature(capability, { capability, valueType: 'number', writable: false, ...details });
const LAMP = [createFeature('on'), number('brightness', { writable: true, min: 0, max: 100, unit: 'percent' })];
const lamp = (id: string) => describeLight(id, { features: LAMP });
const sensor = (id: string, ...features: Feature[]) => describeLight(id, { type: 'contact_sensor', features });
const OPEN = createFeature('open', { capability: 'open', writable: false });

describe('the values of a group', () => {
  test('say whether one lamp is on, whether all are, and the mean of those that are on', async () => {
    const { add, report, valueOf } = await openGroupHome([lamp('a'), lamp('b'), lamp('c')]);
    const group = await add('Lamps', ['a', 'b', 'c']);
    expect(['on', 'x.all_on', 'brightness'].map((key) => valueOf(group, key))).toEqual(Array(3).fill('null none'));
    await report('a', { on: true, brightness: 20 });
    expect(['on', 'x.all_on', 'brightness'].map((key) => valueOf(group, key))).toEqual([
      'true confirmed',
      'null none',
      '20 confirmed',
    ]);
    await report('b', { on: false, brightness: 99 });
    await report('c', { on: true, brightness: 51 });
    expect(['on', 'x.all_on', 'brightness'].map((key) => valueOf(group, key))).toEqual([
      'true confirmed',
      'false confirmed',
      '35.5 confirmed',
    ]);
    await report('b', { on: true, brightness: 1 });
    expect([valueOf(group, 'x.all_on'), valueOf(group, 'brightness')]).toEqual(['true confirmed', '24 confirmed']);
    for (const id of ['a', 'b', 'c']) await report(id, { on: false });
    expect([valueOf(group, 'on'), valueOf(group, 'brightness')]).toEqual(['false confirmed', 'null none']);
  });

  test('leave out a lamp without power, and have the last ones if none can be reached', async () => {
    const { add, report, reports, settle, valueOf } = await openGroupHome([lamp('a'), lamp('b')]);
    const group = await add('Lamps', ['a', 'b']);
    await report('a', { on: true, brightness: 20 });
    await report('b', { on: false, brightness: 20 });
    reports.reportAvailability('a', 'offline', 'no_report');
    await settle();
    expect([valueOf(group, 'on'), group.availability.state]).toEqual(['false confirmed', 'online']);
    reports.reportAvailability('b', 'offline', 'no_report');
    await settle();
    expect([valueOf(group, 'on'), group.availability]).toMatchObject([
      'true stale',
      { state: 'offline', reason: 'members_offline' },
    ]);
  });

  test('call a window that is lost by its last word, and never sure', async () => {
    const { add, report, reports, settle, valueOf } = await openGroupHome([sensor('a', OPEN), sensor('b', OPEN)]);
    const group = await add('Windows', ['a', 'b']);
    await report('a', { open: false });
    expect(valueOf(group, 'open')).toBe('null none');
    await report('b', { open: false });
    expect(valueOf(group, 'open')).toBe('false confirmed');
    reports.reportAvailability('b', 'offline', 'no_report');
    await settle();
    expect(valueOf(group, 'open')).toBe('false stale');
    await report('a', { open: true });
    expect(valueOf(group, 'open')).toBe('true confirmed');
  });

  test('have the white of those that show white, and the color of those that show color', async () => {
    const features = [...LAMP, number('color_temperature', { writable: true, unit: 'K' })];
    const color = createFeature('color', { capability: 'color', valueType: 'color' });
    const lamps = ['a', 'b', 'c'].map((id) => describeLight(id, { features: [...features, color] }));
    const { add, report, settle, valueOf } = await openGroupHome(lamps);
    const group = await add('Lamps', ['a', 'b', 'c']);
    const shown = (): string[] => ['color_temperature', 'color'].map((key) => valueOf(group, key));
    const [red, green] = [
      { x: 0.7, y: 0.3 },
      { x: 0.2, y: 0.7 },
    ];
    for (const id of ['a', 'b', 'c']) await report(id, { on: true, color_temperature: 2_700 });
    expect(shown()).toEqual(['2700 confirmed', 'null none']);
    await report('a', { color: red });
    expect(shown()).toEqual(['2700 confirmed', `${JSON.stringify(red)} confirmed`]);
    await report('b', { color: green });
    expect(shown()).toEqual(['2700 confirmed', 'null none']);
    await report('c', { color_temperature: 4_000 });
    expect(shown()).toEqual(['4000 confirmed', 'null none']);
    await report('c', { color: green });
    await report('a', { color: green });
    expect(shown()).toEqual(['3133.33 stale', `${JSON.stringify(green)} confirmed`]);
    await report('b', { color_temperature: 5_000 });
    await settle();
    expect(shown()).toEqual(['5000 confirmed', `${JSON.stringify(green)} confirmed`]);
  });

  test('add powers only where all are known, and say what is known', async () => {
    const { add, report, reports, settle, valueOf } = await openGroupHome([
      sensor('a', number('power')),
      sensor('b', number('power')),
    ]);
    const group = await add('Plugs', ['a', 'b']);
    await report('a', { power: 0.1 });
    expect([valueOf(group, 'power'), valueOf(group, 'x.known_power')]).toEqual(['null none', '0.1 confirmed']);
    await report('b', { power: 0.2 });
    expect(valueOf(group, 'power')).toBe('0.3 confirmed');
    reports.reportAvailability('b', 'offline', 'no_report');
    await settle();
    expect([valueOf(group, 'power'), valueOf(group, 'x.known_power')]).toEqual(['null none', '0.1 confirmed']);
  });

  test('are the mean of temperatures, with the least and the greatest', async () => {
    const { add, report, valueOf } = await openGroupHome([
      sensor('a', number('temperature')),
      sensor('b', number('temperature')),
    ]);
    const group = await add('Rooms', ['a', 'b']);
    await report('a', { temperature: 18 });
    await report('b', { temperature: 21.5 });
    expect(['temperature', 'x.min_temperature', 'x.max_temperature'].map((key) => valueOf(group, key))).toEqual([
      '19.75 confirmed',
      '18 confirmed',
      '21.5 confirmed',
    ]);
  });

  test('are as sure as what they rest on, and answer the command that the members answer', async () => {
    const { add, report, registry, device, settle, valueOf, events, sentValues } = await openGroupHome([
      lamp('a'),
      lamp('b'),
    ]);
    const group = await add('Lamps', ['a', 'b']);
    await report('a', { on: false });
    await report('b', { on: false });
    const cause = { ...DIRECT, command: 'c1' };
    for (const id of ['a', 'b']) {
      const [feature] = LAMP;
      if (feature === undefined) throw new Error('there is no switch');
      sentValues.note(device(id).id, { cause, feature, requested: true, before: false, untilMs: 10_000 });
      registry.assumeValues(device(id).id, new Map([['on', true]]), cause);
    }
    await settle();
    expect([valueOf(group, 'on'), valueOf(group, 'x.all_on')]).toEqual(['true assumed', 'true assumed']);
    await report('a', { on: true });
    expect([valueOf(group, 'on'), valueOf(group, 'x.all_on')]).toEqual(['true confirmed', 'true assumed']);
    await report('b', { on: true });
    expect(valueOf(group, 'x.all_on')).toBe('true confirmed');
    const causes = events.flatMap((event) =>
      event.type === 'feature.changed' && event.device.id === group.id && event.state.value === true ? event.cause : [],
    );
    expect(causes.length).toBeGreaterThanOrEqual(4);
    expect(causes.every((one) => one?.command === 'c1')).toBe(true);
  });

  test('answer the later of two commands, and none where a hand had a part in it', async () => {
    const { add, report, reports, device, settle, events, sentValues } = await openGroupHome([lamp('a'), lamp('b')]);
    const group = await add('Lamps', ['a', 'b']);
    const [feature] = LAMP;
    if (feature === undefined) throw new Error('there is no switch');
    const causeAfter = async (on: boolean, commands: readonly (string | null)[]) => {
      await report('a', { on: !on });
      await report('b', { on: !on });
      events.length = 0;
      for (const [index, command] of commands.entries()) {
        const id = index === 0 ? 'a' : 'b';
        const cause = { ...DIRECT, command };
        if (command !== null) {
          sentValues.note(device(id).id, { cause, feature, requested: on, before: !on, untilMs: 10_000 });
        }
        reports.reportValues(id, new Map([['on', on]]));
      }
      await settle();
      const causes = events.flatMap((event) =>
        event.type === 'feature.changed' && event.device.id === group.id && event.key === 'on' ? [event.cause] : [],
      );
      return causes.map((cause) => cause?.command ?? null);
    };
    expect(await causeAfter(true, ['c1', 'c2'])).toEqual(['c2']);
    expect(await causeAfter(false, ['c3', null])).toEqual([null]);
    expect(await causeAfter(true, [null, 'c4'])).toEqual([null]);
  });

  test('name all who led to a change, whatever else happens in the same moment', async () => {
    const { add, report, reports, device, memberOf, settle, events, sentValues, groups } = await openGroupHome([
      lamp('a'),
      lamp('b'),
    ]);
    const group = await add('Lamps', ['a', 'b']);
    const [feature] = LAMP;
    if (feature === undefined) throw new Error('there is no switch');
    const script = { type: 'api_token', id: 'script' } as const;
    const turnOn = (id: string, by: typeof script | null): void => {
      const cause = { ...DIRECT, command: `to ${id}`, ...(by && { callers: [by] }) };
      sentValues.note(device(id).id, { cause, feature, requested: true, before: false, untilMs: 10_000 });
      reports.reportValues(id, new Map([['on', true]]));
    };
    const meanwhile: Readonly<Record<string, () => unknown>> = {
      'a hand': () => reports.reportValues('b', new Map([['on', true]])),
      'a later command': () => turnOn('b', null),
      'another name': () => groups.updateGroup(group, { ownName: 'More' }),
      'other members': () => groups.updateGroup(group, { members: [memberOf('a')] }),
    };
    const callersAfter = async (change: () => unknown): Promise<readonly unknown[]> => {
      events.length = 0;
      await change();
      await settle();
      return events.flatMap((event) =>
        event.type === 'feature.changed' && event.device.id === group.id && event.key === 'on'
          ? [event.cause?.callers ?? []]
          : [],
      );
    };
    for (const [what, happens] of Object.entries(meanwhile)) {
      await groups.updateGroup(group, { members: [memberOf('a'), memberOf('b')] });
      for (const id of ['a', 'b']) await report(id, { on: false });
      const led = await callersAfter(async () => {
        turnOn('a', script);
        await happens();
      });
      expect([what, led]).toEqual([what, [[script]]]);
    }
    const swapped = { members: [memberOf('b')], callers: [script] };
    await report('b', { on: false });
    expect(await callersAfter(() => groups.updateGroup(group, swapped))).toEqual([[script]]);
    expect(await callersAfter(() => reports.reportValues('b', new Map([['on', true]])))).toEqual([[]]);
  });

  test('change at most five times a second, however many members report', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `lamp-${index}`);
    const { add, reports, time, events, valueOf } = await openGroupHome(ids.map(lamp));
    const group = await add('All', ids);
    events.length = 0;
    for (const id of ids) {
      reports.reportValues(
        id,
        new Map<string, JsonValue>([
          ['on', true],
          ['brightness', 40],
        ]),
      );
      await time.advance(10);
    }
    await time.advance(200);
    const own = events.filter((event) => event.type === 'feature.changed' && event.device.id === group.id);
    // A second long, and on, all on and the mean.
    expect(own.length).toBeLessThanOrEqual(3 * 6);
    expect(['on', 'x.all_on', 'brightness'].map((key) => valueOf(group, key))).toEqual([
      'true confirmed',
      'true confirmed',
      '40 confirmed',
    ]);
  });
});

test('many groups that are due at once leave turns to others', async () => {
  let nowMs = 0;
  const due: (() => void)[] = [];
  // Each look at the clock is three milliseconds after the one before.
  const clock = { monotonicMs: () => (nowMs += 3) };
  const startTimer = (_: number, run: () => void) => {
    due.push(run);
    return () => undefined;
  };
  const home = await openGroupHome([lamp('a')], createDeviceDisk(), { clock, startTimer });
  const { add, reports, groups } = home;
  for (let index = 0; index < 20; index += 1) await add(`Lamps ${index}`, ['a']);
  const countOn = (): number => groups.groups().filter(({ states }) => states.get('on')?.value === true).length;
  const report = async (value: boolean): Promise<void> => {
    reports.reportValues('a', new Map([['on', value]]));
    for (const run of due.splice(0)) run();
    await new Promise((resolve) => void setImmediate(resolve));
  };
  // The first look also finds out what a group can do.
  await report(true);
  await vi.waitFor(() => expect(countOn()).toBe(20));
  await report(false);
  expect(countOn()).toBeGreaterThan(0);
  await vi.waitFor(() => expect(countOn()).toBe(0));
});

describe('a group', () => {
  test('can what its members can, within what all of those can that have it', async () => {
    const { groups, add, memberOf, device } = await openGroupHome([
      describeLight('a', {
        features: [createFeature('on'), number('color_temperature', { writable: true, min: 2000, max: 6500 })],
      }),
      describeLight('b', {
        features: [createFeature('on'), number('color_temperature', { writable: true, min: 2200, max: 7000 })],
      }),
      sensor('s', OPEN, createFeature('x.led', { capability: 'x.led', category: 'config' })),
    ]);
    const group = await add('Lamps', ['a', 'b']);
    expect(group).toMatchObject({ type: 'dimmable_light', integration: 'group', selector: 'lamps' });
    expect(group.features.map(({ key, min, max, writable }) => [key, min, max, writable])).toEqual([
      ['on', null, null, true],
      ['x.all_on', null, null, false],
      ['color_temperature', 2200, 6500, true],
    ]);
    await groups.updateGroup(group, { members: ['a', 's'].map(memberOf) });
    expect(group.type).toBe('other');
    expect(group.features.map(({ key }) => key)).toEqual(['on', 'x.all_on', 'color_temperature', 'open']);
    expect(device('a').revision).toBe(1);
  });

  test('keeps the place of a member that was removed, and has it again when it returns', async () => {
    const { add, reports, report, settle, valueOf } = await openGroupHome([lamp('a'), lamp('b')]);
    const group = await add('Lamps', ['a', 'b']);
    await report('a', { on: true });
    await reports.removeDevice('a');
    await report('b', { on: false });
    expect([valueOf(group, 'on'), group.members?.length]).toEqual(['false confirmed', 2]);
    await reports.removeDevice('b');
    await settle();
    expect([group.features, group.availability.reason]).toEqual([[], 'no_members']);
    await reports.syncDevices([lamp('a')]);
    reports.reportAvailability('a', 'online', null);
    await settle();
    await report('a', { on: true });
    expect(valueOf(group, 'on')).toBe('true confirmed');
  });

  test('is in a room only with all of its members, and leaves it with one of them', async () => {
    const { add, rooms, registry, device, settle, groups, memberOf } = await openGroupHome([lamp('a'), lamp('b')]);
    const kitchen = await rooms.addRoom('Kitchen');
    await registry.updateDevice(device('a').id, { roomId: kitchen.id });
    const outside = { code: 'VALIDATION_FAILED' };
    await expect(add('Lamps', ['a', 'b'], kitchen.id)).rejects.toMatchObject(outside);
    const group = await add('Lamps', ['a', 'b']);
    await expect(registry.updateDevice(group.id, { roomId: kitchen.id })).rejects.toMatchObject(outside);
    await expect(groups.updateGroup(group, { roomId: kitchen.id })).rejects.toMatchObject(outside);
    await groups.updateGroup(group, { roomId: kitchen.id, members: [memberOf('a')] });
    expect(group.roomId).toBe(kitchen.id);
    await expect(groups.updateGroup(group, { members: ['a', 'b'].map(memberOf) })).rejects.toMatchObject(outside);
    await registry.updateDevice(device('a').id, { roomId: null });
    await settle();
    expect(group.roomId).toBe(null);
    await registry.updateDevice(device('a').id, { roomId: kitchen.id });
    await registry.updateDevice(group.id, { roomId: kitchen.id });
    await rooms.removeRoom(kitchen.id);
    await settle();
    expect([group.roomId, device('a').roomId]).toEqual([null, null]);
  });

  test('leaves its room after all where the disk was full at first', async () => {
    const disk = createDeviceDisk();
    const { add, rooms, registry, device, settle, report } = await openGroupHome([lamp('a'), lamp('b')], disk);
    const kitchen = await rooms.addRoom('Kitchen');
    for (const id of ['a', 'b']) await registry.updateDevice(device(id).id, { roomId: kitchen.id });
    const group = await add('Lamps', ['a', 'b'], kitchen.id);
    await registry.updateDevice(device('a').id, { roomId: null });
    disk.failWith = new Error('no space is left');
    await settle();
    expect(group.roomId).toBe(kitchen.id);
    disk.failWith = undefined;
    await report('b', { on: true });
    expect(group.roomId).toBe(null);
  });

  test('is found after a restart with its id, members and last values', async () => {
    const disk = createDeviceDisk();
    const first = await openGroupHome([lamp('a'), lamp('b')], disk);
    const group = await first.add('Lamps', ['a', 'b']);
    await first.report('a', { on: true, brightness: 30 });
    first.groups.stop();
    const second = await openGroupHome([lamp('a'), lamp('b')], disk);
    const [again] = second.groups.groups();
    expect(again).toMatchObject({ id: group.id, selector: 'lamps', members: group.members });
    await second.settle();
    await second.report('b', { on: false });
    expect(again?.states.get('on')).toMatchObject({ value: true, quality: 'restored' });
  });

  test('is not brought back by a member that changes while it is removed', async () => {
    const { add, registry, reports, settle, groups } = await openGroupHome([lamp('a')]);
    const group = await add('Lamps', ['a']);
    const removal = registry.removeDevice(group.id);
    await reports.describeDevice(describeLight('a', { features: LAMP, model: 'other' }));
    await removal;
    await settle();
    expect(groups.groups()).toEqual([]);
  });

  test('is forgotten with its removal, and leaves its selector to another one', async () => {
    const disk = createDeviceDisk();
    const { add, registry, groups } = await openGroupHome([lamp('a')], disk);
    const group = await add('Lamps', ['a']);
    await registry.removeDevice(group.id);
    expect([...disk.devices.values()].map(({ externalId }) => externalId)).toEqual(['a']);
    const other = await add('Lamps', ['a']);
    expect([other.selector, other.id === group.id, groups.groups().length]).toEqual(['lamps', false, 1]);
  });

  test('is one of fifty', async () => {
    const { groups, memberOf } = await openGroupHome([lamp('a')]);
    const add = () => groups.addGroup({ name: 'Lamps', roomId: null, members: [memberOf('a')] });
    const outcomes = await Promise.allSettled(Array.from({ length: 52 }, add));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(groups.groups()).toHaveLength(50);
    await expect(add()).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });
});
