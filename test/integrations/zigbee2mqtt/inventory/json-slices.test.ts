import { array, assert, asyncProperty, dictionary, jsonValue, nat, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { elementsOfJsonArray, JsonSliceError } from '#integrations/zigbee2mqtt/inventory/inventory.ts';

async function slice(text: string | Buffer, maxDepth = 24): Promise<unknown[]> {
  const elements: unknown[] = [];
  for await (const bytes of elementsOfJsonArray(Buffer.from(text), maxDepth))
    elements.push(JSON.parse(bytes.toString()));
  return elements;
}

test('yields the elements that JSON.parse gives, with any content and spacing', async () => {
  const objects = array(dictionary(string(), jsonValue({ maxDepth: 5 })), { maxLength: 8 });
  await expect(
    assert(
      asyncProperty(objects, nat(4), async (list, indent) => {
        expect(await slice(JSON.stringify(list, null, indent))).toEqual(JSON.parse(JSON.stringify(list)));
      }),
    ),
  ).resolves.toBeUndefined();
});

test.each(['[{"a":"]}[{\\"\\\\"}]', '[{"\\\\":"\\\\"},{"b":"{"}]', '[ ]', '[]', ' [\n{ } ,\t{}\r] '])(
  'brackets and quotes in texts are no structure: %j',
  async (text) => {
    expect(await slice(text)).toEqual(JSON.parse(text));
  },
);

describe('refuses', () => {
  test.each([
    '',
    ' ',
    'null',
    '{}',
    '{"a":[]}',
    '"text"',
    '[1]',
    '["a"]',
    '[null]',
    '[{}',
    '[{"a":1]',
    '[{}]]',
    '[{}][{}]',
    '[{}]x',
    'x[{}]',
    '[{"a":"}]',
    '[{"a":"\\',
    ']',
    '}',
  ])('%j', async (text) => {
    // Mismatched brackets inside an element are left to the parser that gets the element.
    await expect(slice(text)).rejects.toSatisfy(
      (error: unknown) => error instanceof JsonSliceError || error instanceof SyntaxError,
    );
  });

  test('I1: a text that nests deeper than allowed', async () => {
    const nested = (depth: number): string => `[{"a":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}]`;
    expect(await slice(nested(24))).toHaveLength(1);
    await expect(slice(nested(25))).rejects.toThrow('deeper than 24');
    await expect(slice(Buffer.alloc(8 * 1024 * 1024, '['))).rejects.toThrow('deeper than 24');
  });
});
