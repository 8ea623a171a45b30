import { costRatio, countSteps } from './work-count.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { decodeJson } from '#http/routing/json-body.ts';
import { findExcess, text } from './costly-input.ts';
import { findSlowest, MAX_RATIO } from './slow-text.ts';

// An instrument that misses a fault which is there proves nothing when it finds none.

afterEach(() => {
  vi.restoreAllMocks();
});

/** Follows compression pointers backwards and bounds the labels, but not the hops, as the hub once did. */
function readNames(bytes: Buffer): number {
  let count = 0;
  for (let start = 0; start + 2 < bytes.length; start += 16) {
    let length = 0;
    for (let at = start; length < 255 && at + 1 < bytes.length;) {
      const size = bytes.readUInt8(at);
      if (size >= 0xc0) {
        const target = bytes.readUInt16BE(at) & 0x3fff;
        if (target >= at) break;
        at = target;
      } else {
        length += size + 1;
        at += 1 + size;
        if (size === 0) break;
      }
    }
    count += 1;
  }
  return count;
}

/** Looks for each member among all those before. */
function walkSquare(bytes: Buffer): void {
  const seen: string[] = [];
  for (const key of Object.keys(JSON.parse(bytes.toString()) as object)) if (!seen.includes(key)) seen.push(key);
}

const arrayOf = (item: string) => ({
  pieces: [text(`${item},`), text(' '), text('0,')],
  frames: [(body: Buffer) => Buffer.concat([Buffer.from('['), body, Buffer.from('0]')])],
});
const toLines = (bytes: Buffer): number[] => JSON.parse(bytes.toString()) as number[];
const limits = { size: 200, stepsPerByte: 2_000, climbs: 10 };

describe('a search for the dearest input', () => {
  test('finds nothing where the work is linear', async () => {
    expect(await findExcess({ parse: decodeJson, ...arrayOf('[{"a":1}]'), ...limits })).toEqual([]);
  });

  test.each([
    [
      'names that point to names',
      readNames,
      { pieces: [({ at }: { at: number }) => Buffer.of(0xc0 | ((at - 2) >> 8), (at - 2) & 255), text('\u0001a')] },
    ],
    [
      'a walk that looks at all members for each member',
      walkSquare,
      {
        pieces: [({ at }: { at: number }) => Buffer.from(`"${at}":0,`)],
        frames: [(body: Buffer) => Buffer.concat([Buffer.from('{'), body, Buffer.from('"":0}')])],
      },
    ],
    [
      'a copy of all bytes for each byte',
      (bytes: Buffer) => [...bytes].reduce((all, byte) => Buffer.concat([all, Buffer.of(byte)]), Buffer.alloc(0)),
      { pieces: [text('a')] },
    ],
    [
      'a spread of all items for each item',
      (bytes: Buffer) => toLines(bytes).reduce<number[]>((all, item) => [...all, item], []),
      arrayOf('0'),
    ],
    [
      'a list that is moved up for each item taken',
      (bytes: Buffer) => {
        const items = toLines(bytes);
        while (items.length > 0) items.shift();
      },
      arrayOf('0'),
    ],
  ])('finds %s', async (_what, parse, language) => {
    expect((await findExcess({ parse, ...language, ...limits })).join()).toMatch(
      /costs more the longer it is: \d+ bytes/,
    );
  });
});

describe('the count of steps', () => {
  test('is the same each time, and sees what is awaited', async () => {
    const bytes = Buffer.from(JSON.stringify({ a: Array.from({ length: 100 }, (_, index) => index) }));
    const run = async (): Promise<unknown> => {
      await Promise.resolve();
      return decodeJson(bytes);
    };
    await countSteps(run);
    const steps = await countSteps(run);
    expect(steps).toBeGreaterThan(100 * 100);
    expect(await countSteps(run)).toBe(steps);
  });

  test('leaves the built-ins as they were', async () => {
    const owners = [Array.prototype, Buffer, Buffer.prototype, JSON, String.prototype, RegExp.prototype, globalThis];
    const builtIns = (): unknown[] =>
      owners.flatMap((owner) => Object.values(Object.getOwnPropertyDescriptors(owner)).map(({ value }) => value));
    const before = builtIns();
    await countSteps(() => JSON.parse('[]') as unknown);
    expect(builtIns().every((value, index) => Object.is(value, before[index]))).toBe(true);
  });
});

/** Of four times as many spaces by the fewer. */
function ratioOf(pattern: RegExp): number {
  const [small, large] = [' '.repeat(2_000), ' '.repeat(8_000)];
  return costRatio(
    () => pattern.test(`${small}x`),
    () => pattern.test(`${large}x`),
  );
}

test('the ratio of processor time tells a regular expression that goes back from one that does not', () => {
  expect(ratioOf(/\s+$/)).toBeGreaterThan(10);
  expect(ratioOf(/^\s+$/)).toBeLessThan(7);
});

test('the ratio of processor time is no worse where the kernel stands still or jumps at times', () => {
  const measure = process.cpuUsage.bind(process);
  let asked = 0;
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => {
    if (before === undefined) return measure();
    asked += 1;
    const { user, system } = measure(before);
    if (asked % 7 === 0) return { user: 0, system: 0 };
    return { user: user + (asked % 5 === 0 ? 20_000 : 0), system };
  });
  expect(ratioOf(/\s+$/)).toBeGreaterThan(10);
  expect(ratioOf(/^\s+$/)).toBeLessThan(7);
});

test('the search for a slow text finds a pattern that goes back and forth over spaces', () => {
  const search = { ends: ['', ';charset=', '"'], repeated: [' ', 'a'], size: 8_192 };
  const pattern = /;\s*charset\s*=\s*("?)([^";\s]*)\1\s*(?=;|$)/i;
  const slow = findSlowest({ ...search, parse: (field) => pattern.exec(field) });
  expect(slow.text).toContain('";charset="," ","');
  expect(slow.ratio).toBeGreaterThan(MAX_RATIO);
  const quick = findSlowest({ ...search, parse: (field) => field.split(';').map((part) => part.trim()) });
  expect(quick.ratio).toBeLessThan(MAX_RATIO);
});
