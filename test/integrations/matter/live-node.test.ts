import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openNode } from '#integrations/matter/live-node.ts';
import type { MatterNode } from '#integrations/matter/matter-node.ts';

const BRIDGE = JSON.parse(readFileSync('test/fixtures/matter/bridge-node.json', 'utf8')) as MatterNode;

test('what changed is in what the node says as a whole', () => {
  const node = openNode(BRIDGE);
  expect(node.present()).toEqual(BRIDGE);
  node.take([
    { endpoint: 3, cluster: 'levelControl', attribute: 'currentLevel', value: 7 },
    { endpoint: 3, cluster: 'levelControl', attribute: 'neverSeen', value: [1] },
    { endpoint: 99, cluster: 'onOff', attribute: 'onOff', value: true },
  ]);
  const { endpoints } = node.present();
  const dimmer = BRIDGE.endpoints.find(({ number }) => number === 3);
  expect(endpoints.find(({ number }) => number === 3)?.state).toEqual({
    ...dimmer?.state,
    levelControl: { ...dimmer?.state['levelControl'], currentLevel: 7, neverSeen: [1] },
  });
  expect(endpoints.filter(({ number }) => number !== 3)).toEqual(BRIDGE.endpoints.filter(({ number }) => number !== 3));
});
