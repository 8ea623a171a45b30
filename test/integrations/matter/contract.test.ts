import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '#base/json.ts';
import type { FromController } from '#integrations/matter/controller-message.ts';
import type { MatterNode } from '#integrations/matter/matter-node.ts';
import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import { createMatterWorld } from '#test/support/matter/matter-world.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/matter/composed-node.json');
const NODE = JSON.parse(readFileSync(FIXTURE, 'utf8')) as MatterNode;
const LAMP = NODE.endpoints.find(({ state }) => state['onOff'] !== undefined)?.number ?? 0;
const GARBAGE: readonly JsonValue[] = ['yes', -1, 1e300, [], {}, { __proto__: 1 }, 'x'.repeat(10_000)];

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const world = createMatterWorld([NODE], time.startTimer);
  const garbage = (value: JsonValue): readonly FromController[] => [
    {
      type: 'changes',
      nodeId: NODE.nodeId,
      changes: [{ endpoint: LAMP, cluster: 'onOff', attribute: 'onOff', value }],
    },
    { type: 'changes', nodeId: 'nobody', changes: [{ endpoint: 1, cluster: 'onOff', attribute: 'onOff', value }] },
    { type: 'occurrence', nodeId: NODE.nodeId, occurrence: { endpoint: 999, cluster: 'switch', event: 'x', data: {} } },
    {
      type: 'occurrence',
      nodeId: NODE.nodeId,
      occurrence: { endpoint: LAMP, cluster: 'switch', event: 'initialPress', data: { newPosition: value } },
    },
    { type: 'reach', nodeId: 'nobody', reach: 'offline' },
    { type: 'gone', nodeId: 'nobody' },
    { type: 'answer', seq: 12_345, refusal: null },
  ];
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: async () => world.kill(),
    healLink: async () => world.heal(),
    sendGarbage: async () => {
      for (const message of GARBAGE.flatMap(garbage)) world.say(message);
    },
    wire: () => world.wire,
    command: { externalId: NODE.nodeId, key: 'on', value: true },
    openEnds: world.running,
    close: async () => world.kill(),
  };
}

describeIntegrationContract('matter', openWorld);
