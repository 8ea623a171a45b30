import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '#base/json.ts';
import { parseJsonInSlices } from '#integrations/zwave/json-slices.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const FILLING = 'x'.repeat(70 * 1024);
/** Long enough that it is parsed in pieces. */
const padded = (json: unknown): unknown => ({ state: { nodes: [json, FILLING, [json, { FILLING }]] }, json, FILLING });

function parse(text: string) {
  let nowMs = 0;
  return parseJsonInSlices(text, () => nowMs++);
}

test('a long text is the same value in slices as at once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t'), async (json, space) => {
      const text = JSON.stringify(padded(JSON.parse(json)), null, space);
      expect(await parse(text)).toEqual(parseJson(text));
    }),
    searchOf(300),
  );
  for (const text of [`[${FILLING}`, `[${' '.repeat(70_000)}]`, `{${' '.repeat(70_000)}}`, '[]', '{}', '']) {
    expect(await parse(text)).toEqual(parseJson(text));
  }
  const own = await parse(`{"__proto__":{"a":1},"b":"${FILLING}"}`);
  expect(Object.keys(own as object)).toEqual(['__proto__', 'b']);
});

test('a long text that is cut or changed anywhere is refused as at once', async () => {
  const text = JSON.stringify(padded({ 'a"b\\': [1, -2.5e3, true, null, 'quo"te, {[', { c: [] }] }));
  const change = fc.record({
    place: fc.nat({ max: 400 }),
    isFromEnd: fc.boolean(),
    put: fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', ' ', '0', 'a'),
    isInserted: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(change, async ({ place, isFromEnd, put, isInserted }) => {
      const at = isFromEnd ? text.length - 1 - place : place;
      const changed = text.slice(0, at) + put + text.slice(isInserted ? at : at + 1);
      expect(await parse(changed)).toEqual(parseJson(changed));
    }),
    searchOf(1_000),
  );
});

test('others have their turns meanwhile', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    turn = setImmediate(count);
  };
  let turn = setImmediate(count);
  const nodes = Array.from({ length: 232 }, (_, nodeId) => ({ nodeId, values: FILLING.slice(0, 20_000) }));
  await parse(JSON.stringify({ result: { state: { nodes } } }));
  clearImmediate(turn);
  expect(turns).toBeGreaterThan(50);
});
