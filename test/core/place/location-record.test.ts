import { describe, expect, test } from 'vitest';
import { createTurnQueue } from '#base/turn-queue.ts';
import { openLocationRecord } from '#core/place/location-record.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const { log, lines } = createRecordingLog();

function createDisk(kept: Readonly<Record<string, string>> = {}) {
  const disk = new Map(Object.entries(kept));
  const store = {
    loadMeta: async () => new Map(disk),
    putMeta: async (entries: ReadonlyMap<string, string>) => {
      for (const [key, value] of entries) disk.set(key, value);
    },
  };
  return { disk, open: () => openLocationRecord({ store, turn: createTurnQueue(), log }) };
}

const HOME = { latitude: 52.516_272, longitude: -13.377_722, elevationM: 34 };
const ROUNDED = { latitude: 52.52, longitude: -13.38, elevationM: 30 };

describe('the location of the home', () => {
  test('is kept rounded, so that nothing on the disk names the house', async () => {
    const { disk, open } = createDisk();
    const record = await open();
    let changes = 0;
    record.subscribe(() => (changes += 1));
    await record.set(HOME, () => undefined);
    expect(record.location()).toEqual(ROUNDED);
    expect([...disk.values()].join()).not.toMatch(/52\.51|13\.37|34/);
    expect((await open()).location()).toEqual(ROUNDED);
    expect(changes).toBe(1);
    expect(lines).toEqual([]);
  });

  test('can be forgotten for good', async () => {
    const { disk, open } = createDisk();
    const record = await open();
    await record.set(HOME, () => undefined);
    await record.set(null, () => undefined);
    expect(record.location()).toBeUndefined();
    expect([...disk.values()]).toEqual(['']);
    expect((await open()).location()).toBeUndefined();
  });

  test('is not written for a caller who lost the right meanwhile', async () => {
    const { disk, open } = createDisk();
    const record = await open();
    const refuse = (): never => {
      throw new Error('not any more');
    };
    await expect(record.set(HOME, refuse)).rejects.toThrow('not any more');
    expect(record.location()).toBeUndefined();
    expect(disk.size).toBe(0);
  });

  test.each(['{', '[]', '{"latitude":91,"longitude":0}', '{"latitude":"1","longitude":0}'])(
    'counts as never given where the disk says %s',
    async (text) => {
      expect((await createDisk({ hub_location: text }).open()).location()).toBeUndefined();
    },
  );
});
