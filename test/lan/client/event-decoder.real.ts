import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countSteps } from '#test/support/attack/work-count.ts';
import { faultOf } from '#base/network/connection-failure.ts';
import type { ServerSentEvent } from '#base/network/lan-ports.ts';
import { createEventDecoder } from '#lan/client/event-decoder.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const MANY = 1024 * 1024;

function decode(...pieces: readonly (string | Uint8Array)[]): ServerSentEvent[] {
  const decoder = createEventDecoder(MANY);
  return pieces.flatMap((piece) => decoder(typeof piece === 'string' ? Buffer.from(piece) : piece));
}

const message = (data: string, id = '', event = 'message'): ServerSentEvent => ({ id, event, data });

describe('the rules of the WHATWG', () => {
  test.each<[string, string, readonly ServerSentEvent[]]>([
    ['an event is its data', 'data: a\n\n', [message('a')]],
    ['lines of data are joined', 'data: YHOO\ndata: +2\ndata: 10\n\n', [message('YHOO\n+2\n10')]],
    [
      'lines end with CR, LF or both',
      'data: a\r\rdata: b\r\n\r\ndata: c\n\n',
      [message('a'), message('b'), message('c')],
    ],
    ['CR and LF together end one line', 'data: a\r\ndata: b\r\n\r\n', [message('a\nb')]],
    ['a field has a type and an id', 'event: put\nid: 7\ndata: a\n\n', [message('a', '7', 'put')]],
    [
      'an id stays, a type does not',
      'event: put\nid: 7\ndata: a\n\ndata: b\n\n',
      [message('a', '7', 'put'), message('b', '7')],
    ],
    ['an empty id takes the id away', 'id: 7\ndata: a\n\nid\ndata: b\n\n', [message('a', '7'), message('b')]],
    ['an id with NUL is ignored', 'id: 7\nid: 8\0\ndata: a\n\n', [message('a', '7')]],
    ['a comment says nothing', ': hi\n\n:\ndata: a\n: b\n\n', [message('a')]],
    ['only one space is taken off', 'data:  a\ndata:b\ndata\n\n', [message(' a\nb\n')]],
    [
      'data that is empty is an event too',
      'data\n\ndata\ndata\n\ndata:\n\n',
      [message(''), message('\n'), message('')],
    ],
    ['without data there is no event', 'event: put\n\nid: 9\n\ndata: a\n\n', [message('a', '9')]],
    [
      'unknown fields, retry and names in capitals say nothing',
      'retry: 1\nfoo: b\nDATA: c\n data: d\ndata: a\n\n',
      [message('a')],
    ],
    ['the end of the stream is not the end of an event', 'data: a\n\ndata: b\n', [message('a')]],
    ['one byte order mark is taken off', '\ufeffdata: a\n\n\ufeffdata: b\n\n', [message('a')]],
    ['a second byte order mark is part of a name', '\ufeff\ufeffdata: a\n\n', []],
    ['a colon in the data stays', 'data: {"a":"b: c"}\n\n', [message('{"a":"b: c"}')]],
  ])('%s', (_rule, text, events) => {
    expect(decode(text)).toEqual(events);
    expect(decode(...[...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  test('bytes that are no UTF-8 become U+FFFD', () => {
    const bad = Buffer.from([0xe2, 0x82, 0x0a, 0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xf0, 0x9f, 0x0a, 0x0a]);
    expect(decode(bad)).toEqual([message('\ufffd\ufffd')]);
  });
});

test('an event above the limit ends the stream, many small ones and long comments do not', () => {
  const reasonOf = (...pieces: readonly string[]): string | undefined => {
    const decoder = createEventDecoder(1_000);
    try {
      for (const piece of pieces) decoder(Buffer.from(piece));
      return undefined;
    } catch (cause) {
      return faultOf(cause)?.reason;
    }
  };
  expect(reasonOf(`data: ${'x'.repeat(995)}`)).toBe('too_large');
  expect(reasonOf(...Array.from({ length: 300 }, () => 'data: xxx\n'))).toBe('too_large');
  expect(reasonOf(...Array.from({ length: 1_002 }, () => 'data\n'))).toBe('too_large');
  expect(reasonOf(...Array.from({ length: 10_000 }, () => 'data: xxx\n\n: ping\nfoo: bar\n'))).toBeUndefined();
});

/** Lines that the rules are about, each with any end of a line. */
const line = fc.oneof(
  fc.constantFrom('data', 'data: a', 'data:€', 'id: 1', 'id', 'id: \0', 'event: put', 'retry: 1', ': c', '\ufeff', ''),
  fc.constantFrom('', ''),
  fc.string(),
);
const streamText = fc
  .array(fc.tuple(line, fc.constantFrom('\r', '\n', '\r\n')), { maxLength: 20 })
  .map((lines) => new Uint8Array(Buffer.from(lines.flat().join(''))));
const bytes = fc.oneof({ weight: 5, arbitrary: streamText }, fc.uint8Array({ maxLength: 200 }));

test('X: any bytes give the same events, however they are split', () => {
  fc.assert(
    fc.property(bytes, fc.array(fc.nat({ max: 200 }), { maxLength: 8 }), (all, cuts) => {
      const places = [...new Set([0, ...cuts.filter((cut) => cut < all.length), all.length])].sort((a, b) => a - b);
      const pieces = places.slice(1).map((end, index) => all.slice(places[index], end));
      expect(decode(...pieces)).toEqual(decode(all));
      expect(decode(all)).toEqual(decodeByTheBook(all));
    }),
    searchOf(20_000),
  );
});

test.each([
  ['one long line', (count: number) => Buffer.from(`data: ${'x'.repeat(count)}\n\n`)],
  ['many lines of one event', (count: number) => Buffer.from(`${'data: x\n'.repeat(count / 8)}\n`)],
  ['many events', (count: number) => Buffer.from('data: x\n\n'.repeat(count / 9))],
  ['comments', (count: number) => Buffer.from(':\r\n'.repeat(count / 3))],
])('X: %s cost as much as their bytes, also one byte at a time', async (_what, make) => {
  const stepsOf = (count: number, size: number): Promise<number> => {
    const decoder = createEventDecoder(MANY);
    const all = make(count);
    return countSteps(() => {
      for (let at = 0; at < all.length; at += size) decoder(all.subarray(at, at + size));
    });
  };
  await stepsOf(900, 1);
  for (const size of [1, 65_536]) {
    const small = await stepsOf(9_000, size);
    const large = await stepsOf(36_000, size);
    expect(large / small).toBeLessThan(4.5);
  }
});

/** The text of the standard, step by step, over the whole stream at once. */
function decodeByTheBook(all: Uint8Array): ServerSentEvent[] {
  const text = new TextDecoder().decode(all);
  const lines = text.split(/\r\n|\r|\n/);
  // What follows the last end of a line is no line.
  lines.pop();
  const events: ServerSentEvent[] = [];
  let [data, event, id] = ['', '', ''];
  for (const line of lines) {
    if (line === '') {
      if (data !== '') events.push({ id, event: event === '' ? 'message' : event, data: data.slice(0, -1) });
      [data, event] = ['', ''];
      continue;
    }
    if (line.startsWith(':')) continue;
    const [, name = line, value = ''] = /^([^:]*): ?([^]*)$/.exec(line) ?? [];
    if (name === 'data') data += `${value}\n`;
    if (name === 'event') event = value;
    if (name === 'id' && !value.includes('\0')) id = value;
  }
  return events;
}
