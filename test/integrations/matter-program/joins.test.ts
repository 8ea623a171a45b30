import { expect, test } from 'vitest';
import { createJoins } from '#integrations/matter-program/controller/joins.ts';
import { createNodeStore } from '#integrations/matter-program/process/node-store.ts';

/** What is on disk by now, and a home that was begun or goes on with it. */
function openHome(kept: string | null, first: number) {
  const disk = { text: kept };
  const keep = async (text: string): Promise<void> => {
    disk.text = text;
  };
  const { driver } = createNodeStore(kept, keep, {});
  return { disk, joins: createJoins(driver, () => first) };
}

test('a new home begins at a number of its own, and goes on with it after a new start', async () => {
  const { disk, joins } = openHome(null, 4_711);
  expect([await joins.begin(), joins.open()]).toEqual([4_712, 4_712]);
  const later = openHome(disk.text, 9);
  expect(later.joins.open()).toBe(4_712);
  await later.joins.end();
  expect([later.joins.open(), await later.joins.begin()]).toEqual([null, 4_713]);
});

test('no number is given twice, also where its device did not join', async () => {
  const { joins } = openHome(null, 0);
  await joins.begin();
  await joins.end();
  expect(await joins.begin()).toBe(2);
});
