// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '#integrations/hue/clip/clip-message.ts';
import { resourcesInAnswer } from '#integrations/hue/clip/resource-slices.ts';
import { collectResources, inventoryFrom } from '#integrations/hue/resources/inventory.ts';

const DUMP = readFileSync(join(import.meta.dirname, '../../fixtures/hue/resources.json'), 'utf8');

/** The resources of so many houses, in one list. */
function houses(count: number): string {
  const one = (index: number): string =>
    DUMP.trim()
      .slice(1, -1)
      .replaceAll(/"(id|rid)": "([^"]*)"/g, `"$1": "$2-${index}"`);
  return Array.from({ length: count }, (_, index) => one(index)).join(',');
}

async function takeAnswer(text: string): Promise<number> {
  const { add, resources } = collectResources();
  for await (const resource of resourcesInAnswer(Buffer.from(text))) add(resource);
  return inventoryFrom(resources, true).devices.size;
}

describe('I1: what a bridge sends costs in proportion to its length', () => {
  test.each<[string, (count: number) => string, (text: string) => unknown]>([
    ['a list of resources', (count) => `{"errors": [], "data": [${houses(count)}]}`, takeAnswer],
    ['an event', (count) => `[{"type": "update", "data": [${houses(count)}]}]`, readEvents],
    ['rooms full of each other', (count) => `{"data": [${crowdedRooms(4 * count)}]}`, takeAnswer],
    ['one long text', (count) => `{"data": [{"id": "${'x'.repeat(10_000 * count)}"}]}`, takeAnswer],
    ['brackets', (count) => `{"data": [${'{"a": [[]]}, '.repeat(2_000 * count)}{}]}`, takeAnswer],
  ])('%s', async (_what, make, take) => {
    await take(make(1));
    const [few, many] = [await countSteps(() => take(make(2))), await countSteps(() => take(make(16)))];
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});

/** Rooms, zones and homes that each have all others as children, many times over. */
function crowdedRooms(count: number): string {
  const types = ['room', 'zone', 'bridge_home'];
  const rooms = Array.from({ length: count }, (_, index) => ({ rid: `r${index % 4}`, rtype: types[index % 3] ?? '' }));
  const one = ({ rid, rtype }: { rid: string; rtype: string }, index: number): string =>
    JSON.stringify({
      id: `${rid}-${index}`,
      type: rtype,
      children: Array.from({ length: 500 }, (_, at) => rooms[at % count]),
      services: [{ rid: `g${index}`, rtype: 'grouped_light' }],
    });
  return rooms.map(one).join(',');
}
