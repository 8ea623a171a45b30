import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { USUAL_PACE } from '#core/command/command-way.ts';
import { describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const lamps = (count: number): string[] => Array.from({ length: count }, (_, index) => `lamp-${index}`);

async function openPaced(count: number, pace = USUAL_PACE) {
  const names = lamps(count);
  const home = await openCommandHome(names.map((name) => describeDevice(name)));
  const { radio, time, commands, requestFor, sent } = home;
  radio.pace = pace;
  /** When each message went out. */
  const atMs: number[] = [];
  radio.send = async () => {
    atMs.push(time.clock.monotonicMs());
    return 'transport_ack';
  };
  const give = (ids: string | readonly string[], set: object = { on: true }, more: object = {}) =>
    commands.accept(...requestFor(ids, set as never, more), null);
  const statusOf = (id: string, deviceId?: string): string | undefined => {
    const command = commands.findCommand(id);
    return deviceId === undefined
      ? command?.status
      : command?.results.find(({ selector }) => selector === deviceId)?.status;
  };
  return { ...home, names, atMs, give, statusOf, sent };
}

describe('messages to an integration', () => {
  test('go out twenty in 100 ms, in the order of the command', async () => {
    const { give, names, time, sent, atMs } = await openPaced(50);
    give(names);
    await time.advance(0);
    expect(sent()).toEqual(names.slice(0, 20).map((name) => `${name} on=true`));
    await time.advance(99);
    expect(sent()).toHaveLength(20);
    await time.advance(1);
    expect(sent()).toHaveLength(40);
    await time.advance(100);
    expect(sent()).toEqual(names.map((name) => `${name} on=true`));
    expect(new Set(atMs)).toEqual(new Set([0, 100, 200]));
  });

  test('go out at once while there is room, and at once again after a rest', async () => {
    const { give, time, sent } = await openPaced(21);
    for (const name of lamps(20)) give(name);
    await time.advance(0);
    expect(sent()).toHaveLength(20);
    await time.advance(100);
    give('lamp-20');
    await time.advance(0);
    expect(sent()).toHaveLength(21);
  });

  test('of several commands take turns: a switch does not wait for a scene', async () => {
    const { give, names, time, sent } = await openPaced(200);
    give(names.slice(0, 199));
    await time.advance(0);
    give('lamp-199');
    await time.advance(100);
    expect(sent().slice(20, 22)).toContain('lamp-199 on=true');
    await time.advance(1_000);
    expect(sent()).toHaveLength(200);
  });

  test('that a newer command has replaced are never sent, and take no place', async () => {
    const { give, names, time, sent, statusOf } = await openPaced(60);
    const older = give(names);
    await time.advance(0);
    const newer = give(names, { on: false });
    await time.advance(400);
    const late = sent().slice(20);
    expect(late).toHaveLength(60);
    expect(late.every((line) => line.endsWith('on=false'))).toBe(true);
    expect([statusOf(older.id), statusOf(newer.id)]).toEqual(['superseded', 'sent']);
  });

  test('that a newer command has replaced in part go out with the rest, before it', async () => {
    const { give, time, sent } = await openPaced(2, { messages: 1, everyMs: 100 });
    give('lamp-0');
    give('lamp-1', { on: true, brightness: 30 });
    await time.advance(0);
    give('lamp-1', { on: false });
    await time.advance(300);
    expect(sent()).toEqual(['lamp-0 on=true', 'lamp-1 brightness=30', 'lamp-1 on=false']);
  });

  test.each([
    ['counts as sent before it leaves, because its answer may come inside of that', undefined, 'sent'],
    ['leaves first where its answer comes later', true, 'queued'],
  ])('one %s', async (_name, answersLater, status) => {
    const { give, radio, time, commands, statusesOf } = await openPaced(1);
    const seen: (string | undefined)[] = [];
    radio.answersLater = answersLater;
    radio.send = async () => {
      seen.push(commands.findCommand(id)?.status);
      return 'transport_ack';
    };
    const { id } = give('lamp-0');
    await time.advance(0);
    expect(seen).toEqual([status]);
    expect(statusesOf(id)).toEqual(['queued', 'sent']);
  });

  test('that wait longer than the caller allows expire', async () => {
    const { give, names, time, sent, statusOf } = await openPaced(4, { messages: 1, everyMs: 1_000 });
    const command = give(names, { on: true }, { expiresInS: 2 });
    await time.advance(5_000);
    // The third one is due at the moment in which it expires.
    expect(sent().length).toBeLessThan(4);
    expect(statusOf(command.id, 'lamp-3')).toBe('expired');
    expect(statusOf(command.id, 'lamp-0')).toBe('sent');
  });

  test('have their whole time for a report from when they go out', async () => {
    const { give, names, time, statusOf } = await openPaced(2, { messages: 1, everyMs: 8_000 });
    const command = give(names);
    await time.advance(10_500);
    expect([statusOf(command.id, 'lamp-0'), statusOf(command.id, 'lamp-1')]).toEqual(['unconfirmed', 'sent']);
    await time.advance(7_000);
    expect(statusOf(command.id, 'lamp-1')).toBe('sent');
    await time.advance(1_000);
    expect(statusOf(command.id, 'lamp-1')).toBe('unconfirmed');
  });

  test('are not sent once their issuer has lost the right, also while they wait', async () => {
    const { give, names, time, sent, rights, statusOf } = await openPaced(30);
    const command = give(names);
    await time.advance(0);
    rights.authorize = () => {
      throw new HubError('NOT_FOUND', 'There is no such device.');
    };
    await time.advance(500);
    expect(sent()).toHaveLength(20);
    expect(statusOf(command.id, 'lamp-29')).toBe('expired');
  });

  test('are not sent after the end, and leave no timer', async () => {
    const { give, names, time, sent, commands } = await openPaced(30);
    give(names);
    await time.advance(0);
    commands.stop();
    await time.advance(1_000);
    expect(sent()).toHaveLength(20);
    expect(time.pendingMs()).toEqual([]);
  });

  test('never come faster, and each device gets its last wish, whatever is asked when', async () => {
    const steps = fc.array(
      fc.record({
        lamps: fc.uniqueArray(fc.nat(11), { minLength: 1 }),
        isOn: fc.boolean(),
        waitMs: fc.nat(60),
      }),
      { maxLength: 30 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const { give, time, sent, atMs } = await openPaced(12, { messages: 3, everyMs: 50 });
        const wishes = new Map<string, boolean>();
        for (const { lamps: some, isOn, waitMs } of given) {
          const ids = some.map((index) => `lamp-${index}`);
          give(ids, { on: isOn });
          for (const id of ids) wishes.set(id, isOn);
          await time.advance(waitMs);
        }
        await time.advance(1_000);
        const spansMs = atMs.slice(3).map((fourthMs, index) => fourthMs - (atMs[index] ?? 0));
        expect(spansMs.filter((spanMs) => spanMs < 50)).toEqual([]);
        for (const [id, isOn] of wishes) {
          expect(sent().findLast((line) => line.startsWith(`${id} `))).toBe(`${id} on=${isOn}`);
        }
      }),
      searchOf(200),
    );
  });
});

describe('a message for a whole group', () => {
  test('takes one place, and the others go out by themselves', async () => {
    const { radio, give, names, time, sent } = await openPaced(8, { messages: 2, everyMs: 100 });
    const grouped: string[][] = [];
    const members = new Set(names.slice(0, 5));
    radio.findGroups = (commands) => {
      const inGroup = commands.filter(({ externalId }) => members.has(externalId));
      return inGroup.length === members.size ? [inGroup] : [];
    };
    radio.sendGroup = (commands) => {
      grouped.push(commands.map(({ externalId }) => externalId));
      return commands.map(async () => 'transport_ack');
    };
    give(names);
    await time.advance(0);
    expect([grouped, sent()]).toEqual([[[...members]], ['lamp-5 on=true']]);
    await time.advance(100);
    expect(sent()).toEqual(['lamp-5 on=true', 'lamp-6 on=true', 'lamp-7 on=true']);
    // One of them is not meant any more when the turn comes: the others go by themselves.
    grouped.length = 0;
    await time.advance(90);
    give([...members], { on: false });
    give('lamp-0', { on: true });
    await time.advance(500);
    expect(grouped).toEqual([]);
    expect(sent().slice(3).toSorted()).toEqual([
      'lamp-0 on=true',
      'lamp-1 on=false',
      'lamp-2 on=false',
      'lamp-3 on=false',
      'lamp-4 on=false',
    ]);
  });
});
