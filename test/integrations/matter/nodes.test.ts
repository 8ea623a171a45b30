import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { MatterChange, MatterNode } from '#integrations/matter/matter-node.ts';
import { createNodes } from '#integrations/matter/nodes.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const BRIDGE = JSON.parse(readFileSync('test/fixtures/matter/bridge-node.json', 'utf8')) as MatterNode;
const { nodeId } = BRIDGE;
const LAMP = `${nodeId}-3`;
const nameOf = (value: string): MatterChange => {
  return { endpoint: 3, cluster: 'bridgedDeviceBasicInformation', attribute: 'nodeLabel', value };
};
const levelOf = (value: number): MatterChange => {
  return { endpoint: 3, cluster: 'levelControl', attribute: 'currentLevel', value };
};
const named = (node: MatterNode, name: string): MatterNode => ({
  ...node,
  endpoints: node.endpoints.map((one) => {
    if (one.number !== 3) return one;
    const { bridgedDeviceBasicInformation: about } = one.state;
    return { ...one, state: { ...one.state, bridgedDeviceBasicInformation: { ...about, nodeLabel: name } } };
  }),
});

async function open() {
  const time = createManualTime();
  const recording = createRecordingSink();
  const names: string[] = [];
  const sink: typeof recording = {
    ...recording,
    describeDevice: async (description) => {
      if (description.externalId === LAMP) names.push(description.name);
      return recording.describeDevice(description);
    },
  };
  const { log } = createRecordingLog();
  const nodes = createNodes({ sink, startTimer: time.startTimer, log });
  await nodes.begin([BRIDGE]);
  const level = (): unknown =>
    nodes.present(nodeId)?.endpoints.find(({ number }) => number === 3)?.state['levelControl'];
  return { nodes, time, names, level };
}

test('X: a device that becomes another one with each report is described once in three seconds, as it is then', async () => {
  const { nodes, time, names, level } = await open();
  for (let report = 0; report < 100; report += 1) await nodes.takeChanges(nodeId, [nameOf(`Lamp ${report}`)]);
  expect(names).toEqual(['Lamp 0']);
  await time.advance(3_000);
  expect(names).toEqual(['Lamp 0', 'Lamp 99']);
  // The whole node too, with what it says after that.
  for (let report = 0; report < 50; report += 1) await nodes.take(named(BRIDGE, `Light ${report}`));
  await nodes.takeChanges(nodeId, [levelOf(7)]);
  expect(names).toHaveLength(2);
  await time.advance(3_000);
  expect(names.slice(2)).toEqual(['Light 49']);
  expect(level()).toMatchObject({ currentLevel: 7 });
  await time.advance(60_000);
  expect(names).toHaveLength(3);
  await nodes.takeChanges(nodeId, [nameOf('Lamp')]);
  expect(names.at(-1)).toBe('Lamp');
});

test('X: what comes of parts that a node is not known to have describes nothing', async () => {
  const { nodes, time, names } = await open();
  for (let report = 0; report < 10; report += 1) {
    await nodes.takeChanges(nodeId, [{ endpoint: 99, cluster: 'onOff', attribute: 'onOff', value: report % 2 === 0 }]);
  }
  await time.advance(60_000);
  expect(names).toEqual([]);
});

test('what is held goes with its node, and no timer stays after the end', async () => {
  const { nodes, time, names } = await open();
  for (const name of ['One', 'Two']) await nodes.takeChanges(nodeId, [nameOf(name)]);
  await nodes.remove(nodeId);
  expect(time.pendingMs()).toEqual([]);
  await nodes.take(BRIDGE);
  for (const name of ['Three', 'Four']) await nodes.takeChanges(nodeId, [nameOf(name)]);
  nodes.stop();
  expect(time.pendingMs()).toEqual([]);
  expect(names).not.toContain('Two');
});
