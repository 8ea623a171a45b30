import { describe, expect, test } from 'vitest';
import { HUB_CLOCK_META } from '#base/time/hub-clock.ts';
import { createClockWorld, type ClockWorld, TRUE_START_MS } from '#test/support/machine/clock-world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HALF_YEAR_MS = 182 * DAY_MS;

async function openWorld(isSynced = false): Promise<ClockWorld> {
  const world = createClockWorld();
  if (isSynced) await world.sync();
  await world.start();
  return world;
}

/** A lifetime that begins now. */
function begin(world: ClockWorld) {
  const clock = world.clock();
  const epoch = clock.epoch();
  const sinceMs = clock.nowInEpochMs(epoch) ?? Number.NaN;
  return {
    epoch,
    atMs: (ms: number) => sinceMs + ms,
    livedMs: () => (world.clock().nowInEpochMs(epoch) ?? Number.NaN) - sinceMs,
  };
}

describe('the hub clock', () => {
  test('C2: a login from before the first synchronisation keeps its remaining life when the clock jumps by months', async () => {
    const world = await openWorld();
    expect(new Date(world.clock().nowMs()).getUTCFullYear()).toBe(1970);
    const login = begin(world);
    await world.run(HOUR_MS);
    await world.sync();
    expect(login.livedMs()).toBe(HOUR_MS);
    expect(world.clock().nowMs()).toBe(world.trueMs());
    expect(world.clock().epoch()).not.toBe(login.epoch);
    await world.run(HOUR_MS);
    expect(login.livedMs()).toBe(2 * HOUR_MS);
  });

  test('how far an epoch was wrong is known from its first synchronisation on, also after a reboot', async () => {
    const world = await openWorld();
    const { epoch } = begin(world);
    await world.run(HOUR_MS);
    expect(world.clock().learnedShiftMs(epoch)).toBeNull();
    const wrongMs = world.clock().nowInEpochMs(epoch) ?? 0;
    const shiftMs = world.trueMs() - wrongMs;
    await world.sync();
    expect(world.clock().learnedShiftMs(epoch)).toBe(shiftMs);
    await world.stop();
    world.reboot(10 * DAY_MS, 0);
    await world.start();
    expect(world.clock().learnedShiftMs(epoch)).toBe(shiftMs);
    await world.sync();
    expect(world.clock().learnedShiftMs(epoch)).toBe(shiftMs);
    expect(world.clock().learnedShiftMs('unknown')).toBeNull();
  });

  test('C2: time switched off counts from the first synchronisation on, and not before', async () => {
    const world = await openWorld();
    const login = begin(world);
    await world.stop();
    world.reboot(10 * DAY_MS, 0);
    await world.start();
    await world.run(HOUR_MS);
    await world.sync();
    expect(login.livedMs()).toBe(HOUR_MS);
    await world.stop();
    world.reboot(10 * DAY_MS, 0);
    await world.start();
    expect(login.livedMs()).toBe(HOUR_MS);
    await world.sync();
    expect(login.livedMs()).toBe(10 * DAY_MS + HOUR_MS);
  });

  test('C2: a login between boot and synchronisation does not lose the time that was switched off before it', async () => {
    const world = await openWorld(true);
    const early = begin(world);
    await world.stop();
    world.reboot(40 * DAY_MS, 0);
    await world.start();
    const late = begin(world);
    expect(late.epoch).not.toBe(early.epoch);
    // Until the truth is known the hub's time of day is where it was, not in 1970.
    expect(world.clock().nowMs()).toBe(TRUE_START_MS);
    await world.run(10_000);
    await world.sync();
    expect(early.livedMs()).toBe(40 * DAY_MS + 10_000);
    expect(late.livedMs()).toBe(10_000);
    // The true epoch goes on: no new one for every boot.
    expect(world.clock().epoch()).toBe(early.epoch);
  });

  test.each([
    ['forward', HALF_YEAR_MS],
    ['back', -HALF_YEAR_MS],
  ])('C1: setting the wall clock %s by hand changes the time of day and no lifetime', async (_, byMs) => {
    for (const isSynced of [false, true]) {
      const world = await openWorld(isSynced);
      const login = begin(world);
      const before = world.clock().nowMs();
      await world.run(HOUR_MS);
      await world.setWall(before + HOUR_MS + byMs);
      expect(world.clock().nowMs()).toBe(before + HOUR_MS + byMs);
      expect(login.livedMs()).toBe(HOUR_MS);
      const later = begin(world);
      await world.run(HOUR_MS);
      expect([login.livedMs(), later.livedMs()]).toEqual([2 * HOUR_MS, HOUR_MS]);
      // What was set by hand in between is no measure after the next boot.
      await world.stop();
      world.reboot(DAY_MS, 0);
      await world.sync();
      await world.start();
      const offMs = isSynced ? DAY_MS : 0;
      expect([login.livedMs(), later.livedMs()]).toEqual([2 * HOUR_MS + offMs, HOUR_MS + offMs]);
    }
  });

  test('C1: sleep counts, and so does the time in which only the hub was not running', async () => {
    const world = await openWorld();
    const login = begin(world);
    await world.sleep(DAY_MS);
    expect(login.livedMs()).toBe(DAY_MS);
    await world.stop();
    await world.run(DAY_MS);
    await world.start();
    expect(login.livedMs()).toBe(2 * DAY_MS);
    world.kill();
    await world.run(HOUR_MS);
    await world.start();
    expect(login.livedMs()).toBe(2 * DAY_MS + HOUR_MS);
  });

  test('C1: the present is written at most once an hour on its own, and otherwise along with other writes', async () => {
    const world = await openWorld(true);
    const login = begin(world);
    const before = world.writes();
    await world.run(DAY_MS, Number.POSITIVE_INFINITY);
    expect(world.writes() - before).toBe(24);
    await world.run(HOUR_MS / 2);
    world.writeOther();
    world.kill();
    world.reboot(0, 0);
    await world.start();
    expect(login.livedMs()).toBeGreaterThanOrEqual(DAY_MS + HOUR_MS / 2 - 60_000);
  });

  test('C1: a token refused as expired stays expired after a power cut: the present is written before', async () => {
    const world = await openWorld();
    const login = begin(world);
    await world.run(HOUR_MS - 60_000);
    const before = world.writes();
    await world.clock().confirmPast(login.epoch, login.atMs(HOUR_MS - 60_000));
    await world.clock().confirmPast(login.epoch, login.atMs(HOUR_MS - 60_000));
    await world.clock().confirmPast(login.epoch, login.atMs(1));
    await world.clock().confirmPast('unknown', 1);
    expect(world.writes() - before).toBe(1);
    world.kill();
    world.reboot(0, 0);
    await world.start();
    expect(login.livedMs()).toBeGreaterThanOrEqual(HOUR_MS - 60_000);
  });

  test('S9: on a full disk the clock goes on, logs that once, and saves when there is room again', async () => {
    const world = await openWorld();
    const login = begin(world);
    world.fillDisk(true);
    await world.sync();
    await world.run(HOUR_MS);
    await world.clock().confirmPast(login.epoch, login.atMs(HOUR_MS));
    expect(login.livedMs()).toBe(HOUR_MS);
    expect(world.lines).toHaveLength(1);
    expect(world.lines[0]).toContain('cannot be saved');
    world.fillDisk(false);
    await world.run(10_000);
    expect(world.lines).toHaveLength(2);
    world.kill();
    world.reboot(0, 0);
    await world.start();
    expect(login.livedMs()).toBe(HOUR_MS + 10_000);
  });

  test.each(['', '{', '{}', 'null', '{"bootId":"a","bootMs":0,"trueMs":null,"epochs":[{"id":"e1","nowMs":"0"}]}'])(
    'a record that is damaged (%j) revives nothing: its epochs are unknown from then on',
    async (text) => {
      const world = await openWorld(true);
      const { epoch } = begin(world);
      await world.stop();
      world.replaceDisk(new Map([[HUB_CLOCK_META, text]]));
      await world.start();
      expect(world.clock().nowInEpochMs(epoch)).toBeUndefined();
      expect(world.clock().nowMs()).toBe(world.trueMs());
      expect(world.lines.join()).toContain('log in again');
    },
  );

  test('a record from the far future of another machine is corrected by the next synchronisation', async () => {
    const world = await openWorld();
    const wrong = { bootId: 'other', bootMs: 5, trueMs: null };
    const epochs = [{ id: 'far', nowMs: Date.UTC(2099, 0, 1), shiftMs: 0 }];
    world.kill();
    world.replaceDisk(new Map([[HUB_CLOCK_META, JSON.stringify({ ...wrong, epochs })]]));
    await world.start();
    await world.sync();
    expect(world.clock().nowMs()).toBe(world.trueMs());
    const login = begin(world);
    await world.run(HOUR_MS);
    expect(login.livedMs()).toBe(HOUR_MS);
    expect(world.clock().nowInEpochMs('far')).toBe(Date.UTC(2099, 0, 1) + HOUR_MS);
  });

  test('only epochs that a token can carry are kept, and at most a hundred', async () => {
    const world = await openWorld();
    for (let time = 1; time <= 300; time += 1) await world.setWall(time * DAY_MS);
    const record = JSON.parse(world.disk().get(HUB_CLOCK_META) ?? '') as { epochs: unknown[] };
    expect(record.epochs).toHaveLength(1);
    for (let time = 1; time <= 300; time += 1) {
      begin(world);
      await world.setWall(time * DAY_MS);
    }
    const full = world.disk().get(HUB_CLOCK_META) ?? '';
    expect((JSON.parse(full) as { epochs: unknown[] }).epochs).toHaveLength(100);
    expect(full.length).toBeLessThan(8_192);
  });
});

describe('the time of day that a person says', () => {
  const SAID_MS = TRUE_START_MS + 5 * 60_000;

  test('holds until the machine is switched off, also over a restart of the hub', async () => {
    const world = await openWorld();
    expect(world.clock().source()).toBe('none');
    expect(await world.clock().tell(SAID_MS)).toBe('told');
    expect(world.clock().source()).toBe('owner');
    expect(world.clock().nowMs()).toBe(SAID_MS);
    await world.run(HOUR_MS);
    world.kill();
    await world.run(HOUR_MS);
    await world.start();
    expect(world.clock().source()).toBe('owner');
    expect(world.clock().nowMs()).toBe(SAID_MS + 2 * HOUR_MS);
    await world.stop();
    world.reboot(DAY_MS, 0);
    await world.start();
    expect(world.clock().source()).toBe('none');
  });

  test('C2: moves no lifetime, however wrong it is', async () => {
    const world = await openWorld();
    const login = begin(world);
    await world.clock().tell(SAID_MS + 10 * HALF_YEAR_MS);
    await world.run(HOUR_MS);
    expect(login.livedMs()).toBe(HOUR_MS);
    expect(world.clock().isSynced()).toBe(false);
    await world.sync();
    expect(login.livedMs()).toBe(HOUR_MS);
    expect(world.clock().nowMs()).toBe(world.trueMs());
  });

  test('can be said again where it was wrong, and ends with the first synchronisation', async () => {
    const world = await openWorld();
    await world.clock().tell(SAID_MS + DAY_MS);
    expect(await world.clock().tell(SAID_MS)).toBe('told');
    expect(world.clock().nowMs()).toBe(SAID_MS);
    await world.sync();
    expect(world.clock().source()).toBe('synced');
    expect(await world.clock().tell(SAID_MS + DAY_MS)).toBe('synced');
    expect(world.clock().nowMs()).toBe(world.trueMs());
  });

  test('counts for how long nobody has corrected it, also over a restart of the hub', async () => {
    const world = await openWorld();
    expect(world.clock().toldForMs()).toBeNull();
    await world.clock().tell(SAID_MS);
    await world.run(HOUR_MS);
    world.kill();
    await world.run(HOUR_MS);
    await world.start();
    expect(world.clock().toldForMs()).toBe(2 * HOUR_MS);
    // What agrees within a minute is no correction.
    await world.clock().tell(SAID_MS + 2 * HOUR_MS + 50_000);
    expect(world.clock().toldForMs()).toBe(2 * HOUR_MS);
    await world.clock().tell(SAID_MS + 3 * HOUR_MS);
    expect(world.clock().toldForMs()).toBe(0);
    await world.run(HOUR_MS);
    expect(world.clock().toldForMs()).toBe(HOUR_MS);
    await world.sync();
    expect(world.clock().toldForMs()).toBeNull();
    await world.stop();
    world.reboot(DAY_MS, 0);
    await world.start();
    expect(world.clock().toldForMs()).toBeNull();
  });

  test('says of an earlier boot when things were, also after the machine was off and a later boot is synchronised', async () => {
    const world = await openWorld();
    const early = begin(world);
    await world.run(HOUR_MS);
    await world.clock().tell(world.trueMs());
    const told = begin(world);
    const toldAtMs = world.trueMs();
    await world.run(HOUR_MS);
    expect([early, told].map(({ epoch }) => world.clock().learnedShiftMs(epoch))).toEqual([null, null]);
    await world.stop();
    world.reboot(DAY_MS, 0);
    await world.start();
    const trueTimes = (): readonly number[] =>
      [early, told].map(({ epoch, atMs }) => atMs(0) + (world.clock().learnedShiftMs(epoch) ?? Number.NaN));
    expect(trueTimes()).toEqual([toldAtMs - HOUR_MS, toldAtMs]);
    await world.run(HOUR_MS);
    await world.sync();
    expect(trueTimes()).toEqual([toldAtMs - HOUR_MS, toldAtMs]);
    // Nobody knows for sure how long the machine was off, so no lifetime counts that.
    expect(told.livedMs()).toBe(2 * HOUR_MS);
    await world.stop();
    world.reboot(DAY_MS, 0);
    await world.start();
    expect(trueTimes()).toEqual([toldAtMs - HOUR_MS, toldAtMs]);
  });

  test('is corrected for what was noted in the same boot by its first synchronisation', async () => {
    const world = await openWorld();
    await world.clock().tell(SAID_MS);
    const { epoch, atMs } = begin(world);
    await world.run(HOUR_MS);
    await world.sync();
    await world.stop();
    world.reboot(DAY_MS, 0);
    await world.start();
    expect(atMs(0) + (world.clock().learnedShiftMs(epoch) ?? Number.NaN)).toBe(TRUE_START_MS);
  });

  test('is not taken where it is certainly past', async () => {
    const world = await openWorld(true);
    const { epoch } = begin(world);
    await world.stop();
    world.reboot(DAY_MS, 0);
    await world.start();
    expect(world.clock().nowInEpochMs(epoch)).toBeDefined();
    expect(await world.clock().tell(TRUE_START_MS - HOUR_MS)).toBe('past');
    expect(world.clock().source()).toBe('none');
    expect(await world.clock().tell(world.trueMs())).toBe('told');
    expect(world.clock().nowMs()).toBe(world.trueMs());
  });

  test('reaches those who listen, with the jump of the time of day, as does a synchronisation', async () => {
    const world = await openWorld();
    const heard: string[] = [];
    const unsubscribe = world.clock().subscribe(({ source, shiftMs }) => heard.push(`${source} ${shiftMs}`));
    const beforeMs = world.clock().nowMs();
    await world.clock().tell(SAID_MS);
    await world.run(DAY_MS);
    expect(heard).toEqual([`owner ${SAID_MS - beforeMs}`]);
    await world.sync();
    expect(heard.slice(1)).toEqual([`synced ${TRUE_START_MS - SAID_MS}`]);
    unsubscribe();
    await world.setWall(world.trueMs() + HOUR_MS);
    expect(heard).toHaveLength(2);
  });
});
