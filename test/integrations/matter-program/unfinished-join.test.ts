import { FabricIndex, MemoryStorageDriver, Observable, AsyncObservable } from '@matter/main';
import { DeviceCommissioner, FabricManager } from '@matter/main/protocol';
import { describe, expect, test } from 'vitest';
import { forgetOnlyHome, watchUnfinishedJoin } from '#integrations/matter-program/bridge/bridge-role.ts';

/** A node with these fabrics, on a storage that outlives it. */
function startNode(driver: MemoryStorageDriver, indices: readonly number[]) {
  const present = new Set(indices);
  const added = Observable<[{ fabricIndex: FabricIndex }]>();
  const deleted = AsyncObservable<[{ fabricIndex: FabricIndex }]>();
  const commissioned = AsyncObservable<[]>();
  let isFailsafeArmed = false;
  const parts = new Map<unknown, unknown>([
    [
      FabricManager,
      {
        events: { added, deleted },
        maybeFor: (index: number) =>
          present.has(index) ? { delete: async () => void present.delete(index) } : undefined,
      },
    ],
    [
      DeviceCommissioner,
      {
        get isFailsafeArmed() {
          return isFailsafeArmed;
        },
        failsafeContext: { commissioned },
      },
    ],
  ]);
  const node = { env: { get: (type: unknown) => parts.get(type) } };
  const failures: unknown[] = [];
  const { undo, isUnderWay } = watchUnfinishedJoin({
    node: node as never,
    driver,
    onFailure: (cause) => failures.push(cause),
  });
  return {
    undo,
    isUnderWay,
    failures,
    fabrics: () => [...present],
    join: (index: number, isArmed = true) => {
      isFailsafeArmed = isArmed;
      present.add(index);
      added.emit({ fabricIndex: FabricIndex(index) });
    },
    finish: async () => commissioned.emit(),
    forget: async (index: number) => deleted.emit({ fabricIndex: FabricIndex(index) }),
  };
}

function openStorage(): MemoryStorageDriver {
  const driver = new MemoryStorageDriver();
  driver.initialize();
  return driver;
}

describe('a home that was joining when the program ended', () => {
  test('is forgotten at the next start, and those of before stay', async () => {
    const driver = openStorage();
    const first = startNode(driver, [1]);
    first.join(2);
    const next = startNode(driver, first.fabrics());
    await next.undo();
    expect(next.fabrics()).toEqual([1]);
    const later = startNode(driver, [1, 2]);
    await later.undo();
    expect(later.fabrics()).toEqual([1, 2]);
  });

  test('stays once the home has said that it is finished', async () => {
    const driver = openStorage();
    const first = startNode(driver, []);
    first.join(1);
    await first.finish();
    const next = startNode(driver, first.fabrics());
    await next.undo();
    expect(next.fabrics()).toEqual([1]);
  });

  test('that has already gone by itself is no fault', async () => {
    const driver = openStorage();
    startNode(driver, []).join(3);
    const next = startNode(driver, [1]);
    await next.undo();
    expect(next.fabrics()).toEqual([1]);
  });

  test('leaves a failure where that cannot be kept', async () => {
    const driver = openStorage();
    driver.set = () => Promise.reject(new Error('full')) as never;
    const first = startNode(driver, []);
    first.join(1);
    await expect.poll(() => first.failures).toHaveLength(1);
  });

  test('is forgotten before there is a node where it was the only one, with all that was made for it', async () => {
    const kept = async (fabrics: readonly number[], joining: number): Promise<readonly string[]> => {
      const driver = openStorage();
      startNode(driver, []).join(joining);
      driver.set(['fabrics'], { fabrics: fabrics.map((fabricIndex) => ({ fabricIndex })) });
      driver.set(['root', 'accessControl'], { acl: [] });
      await forgetOnlyHome(driver);
      return driver.contexts([]);
    };
    expect(await kept([2], 2)).toEqual([]);
    expect(await kept([], 2)).toEqual([]);
    expect(await kept([1, 2], 2)).toContain('root');
    expect(await kept([2], 0)).toContain('root');
  });

  test('is under way from its keys to its end, whatever that is', async () => {
    const first = startNode(openStorage(), []);
    first.join(1, false);
    expect(first.isUnderWay()).toBe(false);
    first.join(2);
    await first.forget(1);
    expect(first.isUnderWay()).toBe(true);
    await first.finish();
    expect(first.isUnderWay()).toBe(false);
    const other = startNode(openStorage(), []);
    other.join(3);
    await other.forget(3);
    expect(other.isUnderWay()).toBe(false);
  });

  test('fabrics that come without a join are nobody’s', async () => {
    const driver = openStorage();
    const first = startNode(driver, []);
    first.join(1, false);
    const next = startNode(driver, [1]);
    await next.undo();
    expect(next.fabrics()).toEqual([1]);
  });
});
