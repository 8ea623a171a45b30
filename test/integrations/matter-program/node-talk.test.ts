import { Seconds } from '@matter/main';
import { expect, test } from 'vitest';
import type { MatterAsk } from '#integrations/matter/matter-node.ts';
import { askNode } from '#integrations/matter-program/controller/node-talk.ts';
import { openReportedDevice } from '#test/support/matter/reported-device.ts';

const ON: MatterAsk = { endpoint: 0, cluster: 'onOff', command: 'on', fields: {}, timed: false };
const ON_TIME: MatterAsk = { endpoint: 0, cluster: 'onOff', write: 'onTime', value: 5 };

test('what a device is asked is given up before the hub has, also where nobody has found it yet', async () => {
  const { node, report } = await openReportedDevice();
  const values = { 0: false, 0x4001: 0, 0xfff9: [0, 1], 0xfffb: [0, 0x4001], 0xfffc: { lighting: true }, 0xfffd: 6 };
  await report([{ endpoint: 0, cluster: 6, values }]);
  const given: unknown[] = [];
  node.interaction.invoke = async function* (_request, context) {
    yield [];
    given.push(context !== undefined && 'connectionTimeout' in context ? context.connectionTimeout : undefined);
  };
  node.interaction.write = async (_request, context) => {
    given.push(context !== undefined && 'connectionTimeout' in context ? context.connectionTimeout : undefined);
    return [] as never;
  };
  expect([await askNode(node, [ON]), await askNode(node, [ON_TIME])]).toEqual([null, null]);
  expect(given).toEqual([Seconds(8), Seconds(8)]);
});
