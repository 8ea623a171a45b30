import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bytesOf,
  type Draft,
  putBytes,
  putFixed,
  putFlag,
  putFloat,
  putNumber,
  putText,
  putZigzag,
  readMessage,
  readVarint,
  varint,
} from '#integrations/esphome/wire/protobuf.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('what the format says', () => {
  test('is read as it says', () => {
    // From the documentation of the format, and of the API.
    expect(readMessage(hex('08 96 01'))?.number(1)).toBe(150);
    expect(readMessage(hex('12 07 74657374696e67'))?.text(2)).toBe('testing');
    expect(readMessage(hex('0d 0000c03f'))?.float(1)).toBe(1.5);
    expect(readMessage(hex('08 ffffffffffffffffff01'))?.signed(1)).toBe(-1);
    expect(readMessage(hex('32 06 03 8e02 9ea705'))?.numbers(6, 9)).toEqual([3, 270, 86_942]);
    expect(readMessage(hex('30 03 30 8e02'))?.numbers(6, 9)).toEqual([3, 270]);
    expect(readMessage(hex('08 01 08 02'))?.number(1)).toBe(2);
    expect(readMessage(hex('1a 03 08 96 01'))?.messages(3, 1)[0]?.number(1)).toBe(150);
  });

  test('has defaults for what is absent, and skips what nobody knows', () => {
    const message = readMessage(hex('09 0000000000000000 f8ff01 01 10 01'));
    expect([message?.number(1), message?.flag(2), message?.text(3), message?.float(4)]).toEqual([0, true, '', 0]);
    expect([message?.has(2), message?.has(3)]).toEqual([true, false]);
  });

  test('a float has the digits that a device has', () => {
    const draft: Draft = new Map();
    putFloat(draft, 1, 21.4);
    putFloat(draft, 2, Number.NaN);
    putFloat(draft, 3, Infinity);
    const message = readMessage(bytesOf(draft));
    expect([message?.float(1), message?.float(2), message?.float(3)]).toEqual([21.4, Number.NaN, Infinity]);
  });

  test.each([
    ['ends within a number', '08 96'],
    ['ends within a text', '12 07 7465'],
    ['ends within four bytes', '0d 0000'],
    ['ends within eight bytes', '09 0000'],
    ['has a number without end', `08 ${'ff'.repeat(11)}`],
    ['has a text as long as memory', '12 ffffffff0f 00'],
    ['has a group', '0b 0c'],
    ['has a kind of field that does not exist', '0f'],
    ['has the field 0', '00 01'],
  ])('bytes whose message %s are none', (_what, text) => {
    expect(readMessage(hex(text))).toBeUndefined();
  });
});

test('what is written is read again', () => {
  const uint = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const values = fc.record({
    a: uint,
    b: uint,
    text: fc.string({ unit: 'grapheme' }),
    flag: fc.boolean(),
    float: fc.float({ noNaN: true }),
  });
  fc.assert(
    fc.property(values, ({ a, b, text, flag, float }) => {
      const draft: Draft = new Map();
      putNumber(draft, 1, a);
      putFixed(draft, 2, b);
      putText(draft, 3, text, 'again');
      putFlag(draft, 400, flag);
      putFloat(draft, 5, float);
      putBytes(draft, 6, varint(a), varint(b));
      putZigzag(draft, 7, -1);
      const message = readMessage(bytesOf(draft));
      expect(message?.number(1)).toBe(a);
      expect(message?.number(2)).toBe(b);
      expect(message?.texts(3, 5)).toEqual([Buffer.from(text).toString(), 'again']);
      expect(message?.flag(400)).toBe(flag);
      expect(message?.float(5)).toBe(Number.isFinite(float) ? Number(float.toPrecision(7)) : float);
      expect(message?.numbers(6, 2)).toEqual([a, b]);
      expect(message?.number(7)).toBe(1);
      expect(readVarint(varint(a), 0)?.value).toBe(a);
    }),
    searchOf(1_000),
  );
});

test('any bytes are a message or none, and every part can be asked for', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 0, max: 20 }), (bytes, field) => {
      const message = readMessage(bytes);
      if (message === undefined) return;
      expect(Number.isInteger(message.number(field))).toBe(true);
      expect(typeof message.float(field)).toBe('number');
      expect(message.texts(field, 3).length).toBeLessThanOrEqual(3);
      expect(message.numbers(field, 3).length).toBeLessThanOrEqual(3);
      expect(message.messages(field, 3).length).toBeLessThanOrEqual(3);
    }),
    searchOf(20_000),
  );
});
