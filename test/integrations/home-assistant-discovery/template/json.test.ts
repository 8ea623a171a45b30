import { expect, test } from 'vitest';
import { jsonText, valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import { createDice } from '#test/support/machine/dice.ts';

/** What the hub writes of what it read; `undefined` where it reads none. */
function again(text: string): string | undefined {
  const value = valueFromJson(text);
  return value === undefined ? undefined : jsonText(value);
}

test.each([
  ['{"a":1,"b":1.0,"c":-0.5,"d":[true,null]}', '{"a":1,"b":1.0,"c":-0.5,"d":[true,null]}'],
  ['{"2":"b","1":"a","__proto__":{"x":1}}', '{"2":"b","1":"a","__proto__":{"x":1}}'],
  ['{"a":1,"a":2}', '{"a":2}'],
  ['"\\u00fc \\"1\\" #2 \\ud83d\\ude00"', '"ü \\"1\\" #2 😀"'],
  ['18446744073709551615', '18446744073709551615'],
  ['1e3', '1000.0'],
])('%s is read as it stands', (text, wanted) => {
  expect(again(text)).toBe(wanted);
});

test.each(['{1:2}', '{"a":1 2}', '"1', '["\\",5', '01', '-', '1.', '.5', '1e', '1e999', '"\\ud800"', '{"\\udc00":1}'])(
  '%s is no JSON',
  (text) => {
    expect(again(text)).toBeUndefined();
  },
);

test('a damaged text is JSON only where JavaScript says so', () => {
  const random = createDice(1);
  const below = (limit: number): number => Math.floor(random() * limit);
  const signs = ['"', '\\', '{', '}', '[', ']', ':', ',', '1', '-', '.', 'e', 'null', '\\"', '\\\\', ' ', '0', 'ü'];
  let valid = 0;
  for (let count = 0; count < 30_000; count += 1) {
    let text = '{"a":[1,-2.5,"x\\"y"],"b":{"c":null}}';
    for (let times = 1 + below(3); times > 0; times -= 1) {
      const at = below(text.length + 1);
      text = text.slice(0, at) + (signs[below(signs.length)] ?? '') + text.slice(at + below(3));
    }
    const isJson = isReadable(text);
    if (isJson) valid += 1;
    expect([text, valueFromJson(text) !== undefined]).toEqual([text, isJson]);
  }
  expect(valid).toBeGreaterThan(1_000);
});

function isReadable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (cause) {
    if (cause instanceof SyntaxError) return false;
    throw cause;
  }
}
