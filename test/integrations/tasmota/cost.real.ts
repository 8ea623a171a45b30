// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { describe, expect, test } from 'vitest';
import { isJsonObject, parseJson } from '#base/json.ts';
import { readAnnouncement } from '#integrations/tasmota/announcement.ts';
import { deviceFrom } from '#integrations/tasmota/mapping/tasmota-device.ts';

const CONFIG = { dn: 'Sofa', mac: 'D8F15B000010', t: 'sofa', ft: '%prefix%/%topic%/', tp: ['cmnd', 'stat', 'tele'] };

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** From the texts of both announcements. */
function take(config: string, sensors: string): number {
  const [own, measured] = [parseJson(config), parseJson(sensors)];
  const announcement = isJsonObject(own) ? readAnnouncement(own) : undefined;
  if (announcement === undefined || !isJsonObject(measured)) return 0;
  return deviceFrom(announcement, measured).description.features.length;
}

describe('I1: what a device announces costs in proportion to its length', () => {
  test.each<[string, (count: number) => readonly [config: object, sensors: object]]>([
    ['relays', (count) => [{ ...CONFIG, rl: times(100 * count, () => 1) }, {}]],
    ['names', (count) => [{ ...CONFIG, rl: [1], fn: times(500 * count, (at) => `Relay ${at}`) }, {}]],
    ['a topic', (count) => [{ ...CONFIG, rl: [1], ft: '%prefix%/%topic%/'.repeat(200 * count) }, {}]],
    [
      'sensors',
      (count) => [
        CONFIG,
        Object.fromEntries(times(10 * count, (at) => [`AM23-${at}`, { Id: `${at}`, Temperature: at, Humidity: 1 }])),
      ],
    ],
    [
      'quantities of a sensor',
      (count) => [CONFIG, { ENERGY: Object.fromEntries(times(50 * count, (at) => [`Power${at}`, at])) }],
    ],
  ])('%s', async (_what, make) => {
    const [first, small, large] = [1, 2, 16].map((count) => make(count).map((one) => JSON.stringify(one)));
    const run = (texts: readonly string[] | undefined) => countSteps(() => take(texts?.[0] ?? '', texts?.[1] ?? ''));
    await run(first);
    const [few, many] = [await run(small), await run(large)];
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});
