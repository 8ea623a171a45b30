import { describe, expect, test } from 'vitest';
import { codeGroups, seenAfter } from '#web/integrations/bridge/bridge-codes.ts';
import { qrPath } from '#web/tokens/qr-path.ts';
import { encode } from 'uqr';

const QUIET = 4;
/** Of the length and with the letters of those of Matter. */
const TEXT = 'MT:Y.K9042C00KA0648G00';

test.each([
  ['34970112332', '3497-011-2332'],
  ['749701123365521327694', '7497-011-2336-55213-27694'],
  ['1234', '1234'],
  ['', ''],
])('a person reads the number %s as %s', (code, groups) => {
  expect(codeGroups(code)).toBe(groups);
});

test('the time that is left goes down steadily, whatever a later answer says of it, unless the hub gives more', () => {
  const codesWith = (remaining: number) => ({ manual_code: '34970112332', qr: TEXT, remaining_s: remaining });
  const first = seenAfter(null, codesWith(200), 1_000);
  expect(first.closesMs).toBe(201_000);
  const later = seenAfter(first, codesWith(190), 10_400);
  expect(later.closesMs).toBe(201_000);
  expect(seenAfter(later, later.codes, 99_000)).toBe(later);
  expect(seenAfter(later, codesWith(240), 20_000).closesMs).toBe(260_000);
  const other = { ...codesWith(190), manual_code: '00000000001' };
  expect(seenAfter(first, other, 10_400).closesMs).toBe(200_400);
});

/** The modules that a path covers, drawn as a browser does. */
function drawn({ side, path }: { readonly side: number; readonly path: string }): boolean[][] {
  const modules = Array.from({ length: side }, () => Array.from({ length: side }, () => false));
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)];
  expect(runs.map(([run]) => run).join('')).toBe(path);
  for (const [, x = '', y = '', length = '', back] of runs) {
    expect(back).toBe(length);
    modules[Number(y)]?.fill(true, Number(x), Number(x) + Number(length));
  }
  return modules;
}

/** Without the light ones around. */
function core(modules: boolean[][]): boolean[][] {
  return modules.slice(QUIET, -QUIET).map((row) => row.slice(QUIET, -QUIET));
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_x, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];
const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** What a scanner reads of an undamaged code of version 2, level M, with letters: by ISO/IEC 18004, without the library. */
function scanned(code: boolean[][]): { readonly level: number; readonly text: string } {
  const at = (x: number, y: number): number => Number(code[y]?.[x] === true);
  const format = parseInt([0, 1, 2, 3, 4, 5].map((x) => at(x, 8)).join(''), 2) ^ 0b101010;
  const isDark = MASKS[(format >> 1) & 7] ?? (() => false);
  const isFunction = (x: number, y: number): boolean =>
    (x < 9 && y < 9) || (x > 16 && y < 9) || (x < 9 && y > 16) || x === 6 || y === 6 || (inEye(x) && inEye(y));
  const inEye = (place: number): boolean => place >= 16 && place <= 20;
  const columns = [23, 21, 19, 17, 15, 13, 11, 9, 7, 4, 2, 0];
  const bits = columns.flatMap((left, index) =>
    Array.from({ length: 25 }, (_, step) => (index % 2 === 0 ? 24 - step : step)).flatMap((y) =>
      [left + 1, left].filter((x) => !isFunction(x, y)).map((x) => at(x, y) ^ Number(isDark(x, y))),
    ),
  );
  let place = 0;
  const next = (count: number): number => parseInt(bits.slice(place, (place += count)).join(''), 2);
  expect(next(4)).toBe(0b0010);
  const length = next(9);
  const text = Array.from({ length: Math.ceil(length / 2) }, (_, pair) => {
    if (pair * 2 + 1 === length) return LETTERS[next(6)];
    const both = next(11);
    return `${LETTERS[Math.floor(both / 45)]}${LETTERS[both % 45]}`;
  });
  return { level: format >> 4, text: text.join('') };
}

describe('the path of a QR code', () => {
  test.each([TEXT, 'a', 'x'.repeat(300)])('covers the dark modules of the library and nothing else: %s', (text) => {
    const { data, size } = encode(text, { ecc: 'M', border: 0 });
    const code = qrPath(text);
    expect(code.side).toBe(size + 2 * QUIET);
    expect(core(drawn(code))).toEqual(data);
  });

  test('has four light modules at each side, and the three large squares', () => {
    const modules = drawn(qrPath(TEXT));
    const last = modules.length - QUIET;
    const isAround = (place: number): boolean => place < QUIET || place >= last;
    expect(modules.some((row, y) => row.some((isDark, x) => isDark && (isAround(x) || isAround(y))))).toBe(false);
    const square = (left: number, top: number): string =>
      modules
        .slice(top, top + 7)
        .map((row) => row.slice(left, left + 7).map((isDark) => (isDark ? '#' : '.')))
        .map((row) => row.join(''))
        .join(' ');
    const eye = '####### #.....# #.###.# #.###.# #.###.# #.....# #######';
    expect([square(QUIET, QUIET), square(last - 7, QUIET), square(QUIET, last - 7)]).toEqual([eye, eye, eye]);
  });

  test.each([TEXT, 'MT:-24J042C00KA0648G00', 'MT:U9VJ0OMV172PX813210'])('reads as its text: %s', (text) => {
    expect(scanned(core(drawn(qrPath(text))))).toEqual({ level: 0, text });
  });
});
