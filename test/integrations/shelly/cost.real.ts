// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue, objectOf } from '#base/json.ts';
import { readComponents } from '#integrations/shelly/mapping/components.ts';
import { devicesFrom, readDeviceInfo } from '#integrations/shelly/mapping/shelly-device.ts';
import { readSources } from '#integrations/peer/source.ts';
import { readFrom } from '#integrations/shelly/payload.ts';
import { readChallenge, readFrame } from '#integrations/shelly/rpc/rpc-message.ts';
import { DUMPS } from '#test/support/shelly/shelly-dumps.ts';

const times = <Item>(count: number, make: (at: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => make(at));

const NOBODY = { sink: { reportRefused: () => undefined }, externalId: '' };

/** All that a device says when it is read, from the text of its answer on. */
function takeStatus(text: string, config: JsonObject = {}): number {
  const frame = readFrame(text);
  const info = readDeviceInfo(DUMPS.plus1pm.info);
  if (frame?.type !== 'result' || info === undefined) return 0;
  const components = readComponents(config, objectOf(frame.result), []);
  return devicesFrom(info, components).reduce(
    (sum, { sources }) => sum + readSources(sources, (source) => readFrom(source, components), NOBODY).size,
    0,
  );
}

const result = (of: JsonValue): string => JSON.stringify({ id: 1, src: 'shelly', result: of });

describe('I1: what a device sends costs in proportion to its length', () => {
  test.each<[string, (count: number) => () => unknown]>([
    [
      'outputs',
      (count) => {
        const text = result(Object.fromEntries(times(8 * count, (id) => [`switch:${id}`, { id, output: true }])));
        return () => takeStatus(text);
      },
    ],
    [
      'members of a component',
      (count) => {
        const members = Object.fromEntries(times(400 * count, (at) => [`m${at}`, at]));
        const text = result({ 'switch:0': { id: 0, output: true, ...members } });
        return () => takeStatus(text);
      },
    ],
    [
      'names without a number',
      (count) => {
        const text = result(Object.fromEntries(times(400 * count, (at) => [`name${at}`, {}])));
        return () => takeStatus(text);
      },
    ],
    ['a challenge', (count) => () => readChallenge(JSON.stringify({ nonce: 1, realm: 'x'.repeat(10_000 * count) }))],
  ])('%s', async (_what, make) => {
    const [first, small, large] = [1, 2, 16].map(make);
    await countSteps(() => first?.());
    const few = await countSteps(() => small?.());
    const many = await countSteps(() => large?.());
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});
