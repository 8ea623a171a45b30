import type { ClientNode } from '@matter/main';
import { describe, expect, test } from 'vitest';
import { createPartTree } from '#integrations/matter-program/controller/part-circles.ts';
import { openReportedDevice, type Reports } from '#test/support/matter/reported-device.ts';

type Parts = Readonly<Record<number, readonly number[]>>;

const device = async () => {
  const opened = await openReportedDevice();
  return { ...opened, report: async (parts: Parts) => opened.report(descriptorsOf(parts)) };
};
const descriptorsOf = (parts: Parts): Reports =>
  Object.entries(parts).map(([endpoint, list]) => ({
    endpoint: Number(endpoint),
    cluster: 0x1d,
    values: {
      0: [{ deviceType: endpoint === '0' ? 0x16 : 0x100, revision: 1 }],
      1: [0x1d],
      2: [],
      3: list,
      0xfffb: [0, 1, 2, 3, 0xfffb, 0xfffd],
      0xfffd: 2,
    },
  }));
const ownersOf = (node: ClientNode): Parts =>
  Object.fromEntries(
    [...node.endpoints]
      .filter(({ number }) => number !== 0)
      .map(({ number, owner }) => [number, [owner?.number ?? -1]]),
  );

describe('X: a device whose parts are parts of themselves', () => {
  // The first of them ends the red run with an error; the others would hang it.
  test.each<[string, Parts]>([
    ['two have each other', { 0: [1, 2], 1: [2], 2: [1] }],
    ['only two that nobody else has', { 1: [2], 2: [1], 0: [] }],
    ['one has itself', { 0: [1, 2], 1: [1], 2: [1] }],
    ['a third one hangs at two of them', { 0: [1, 2, 3], 1: [2], 2: [1], 3: [1] }],
    ['one has the device itself', { 0: [1, 2], 1: [0, 2], 2: [0] }],
    ['three are in a ring', { 3: [1], 2: [3], 1: [2], 0: [1, 2, 3] }],
  ])('is taken in: %s', async (_, parts) => {
    const { node, fault, report } = await device();
    await report(parts);
    await report(parts);
    expect(fault).toHaveBeenCalledWith('the parts of a device', 'one is a part of itself');
    for (const number of Object.values(ownersOf(node)).flat()) expect(number).not.toBe(-1);
  });

  test('may say so only later, one list after the other', async () => {
    const { node, report } = await device();
    await report({ 0: [1, 2], 1: [2], 2: [] });
    expect(ownersOf(node)).toEqual({ 1: [0], 2: [1] });
    await report({ 1: [] });
    await report({ 2: [1] });
    await report({ 0: [1, 2] });
    expect(ownersOf(node)).toEqual({ 1: [0], 2: [1] });
  });

  test('an honest one keeps all of its parts, and may have others later', async () => {
    const { node, fault, report } = await device();
    await report({ 0: [1, 2, 3], 1: [2, 3], 2: [3], 3: [] });
    expect(ownersOf(node)).toEqual({ 1: [0], 2: [1], 3: [2] });
    await report({ 0: [1, 4], 1: [4], 4: [] });
    expect(ownersOf(node)).toEqual({ 1: [0], 4: [1] });
    expect(fault).not.toHaveBeenCalled();
  });
});

test('what a list said no longer counts once it is replaced, but where the library has the part does', () => {
  const owners = new Map([[3, 1]]);
  const tree = createPartTree((part) => owners.get(part));
  expect(tree.take(1, [2, 3])).toEqual([2, 3]);
  tree.take(1, []);
  expect(tree.take(2, [1])).toEqual([]);
  tree.settle();
  expect([tree.take(2, [1]), tree.take(3, [1, 2])]).toEqual([[1], []]);
});
