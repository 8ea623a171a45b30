import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Device } from '#core/device/device.ts';
import { createDeviceOrder } from '#core/device/device-order.ts';
import { searchOf } from '#test/support/machine/runs.ts';

type Named = { id: string; name: string; ownName: string | null };
const deviceOf = (named: Named): Device => named as unknown as Device;

function sortedByName(home: readonly Named[]): readonly Device[] {
  const key = ({ id, name, ownName }: Named): string => `${ownName ?? name} ${id}`;
  return home.toSorted((left, right) => (key(left) < key(right) ? -1 : 1)).map(deviceOf);
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    names: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 8 }),
  }),
  fc.record({ kind: fc.constant('rename' as const), at: fc.nat(20), name: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ kind: fc.constant('remove' as const), at: fc.nat(20) }),
  fc.record({ kind: fc.constant('read' as const) }),
);

test('the order is that of a sort by name and id after any changes, and an old reader keeps its own', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const order = createDeviceOrder();
      const home: Named[] = [];
      let made = 0;
      const reads: { read: readonly Device[]; sorted: readonly Device[] }[] = [];
      for (const one of steps) {
        const named = 'at' in one ? home[one.at] : undefined;
        if (one.kind === 'add') {
          const added = one.names.map((name) => ({ id: `${(made += 1)}`, name, ownName: null }));
          home.push(...added);
          order.addAll(added.map(deviceOf));
        } else if (one.kind === 'rename' && named !== undefined) {
          named.ownName = one.name;
          order.place(deviceOf(named));
        } else if (one.kind === 'remove' && named !== undefined) {
          home.splice(home.indexOf(named), 1);
          order.remove(deviceOf(named));
        } else if (one.kind === 'read') reads.push({ read: order.devices(), sorted: sortedByName(home) });
      }
      expect(order.devices()).toEqual(sortedByName(home));
      for (const { read, sorted } of reads) expect(read).toEqual(sorted);
    }),
    searchOf(2_000),
  );
});

test('a few changes in a large home are placed without comparing the others', () => {
  let looks = 0;
  const order = createDeviceOrder();
  const home = Array.from({ length: 5_000 }, (_, index) => {
    const name = `Lamp ${index}`;
    return {
      id: String(index),
      ownName: null,
      get name() {
        looks += 1;
        return name;
      },
    };
  }).map(deviceOf);
  order.addAll(home);
  order.devices();
  const [first, second] = home;
  if (first === undefined || second === undefined) throw new Error('there are no devices');
  looks = 0;
  order.place(first);
  order.remove(second);
  expect(order.devices()).toHaveLength(4_999);
  expect(looks).toBeLessThan(100);
});
