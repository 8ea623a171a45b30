import { ManualPairingCodeCodec, QrPairingCodeCodec, VendorId } from '@matter/main/types';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSetupCode } from '#integrations/matter/setup-code.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const FORBIDDEN = /^(?:(\d)\1{7}|12345678|87654321)$/;
const passcodes = fc
  .integer({ min: 1, max: 99_999_998 })
  .filter((code) => !FORBIDDEN.test(String(code).padStart(8, '0')));
const discriminators = fc.integer({ min: 0, max: 0xfff });
const numbers = fc.integer({ min: 1, max: 0xfff4 });

function manualOf(discriminator: number, passcode: number): string {
  return ManualPairingCodeCodec.encode({ discriminator, passcode });
}

describe('the code of a device', () => {
  test('is read from the number that is typed, with hyphens and spaces, as the library of Matter wrote it', () => {
    fc.assert(
      fc.property(discriminators, passcodes, (discriminator, passcode) => {
        const digits = manualOf(discriminator, passcode);
        const code = { passcode, discriminator: { bits: 4, value: discriminator >> 8 }, isOnNetwork: null };
        expect(readSetupCode(digits)).toEqual(code);
        expect(readSetupCode(` ${digits.slice(0, 4)}-${digits.slice(4, 7)} ${digits.slice(7)}\n`)).toEqual(code);
      }),
      searchOf(1_000),
    );
  });

  test('is read from the long number, which names maker and product', () => {
    fc.assert(
      fc.property(discriminators, passcodes, numbers, (discriminator, passcode, number) => {
        const digits = ManualPairingCodeCodec.encode({
          discriminator,
          passcode,
          vendorId: VendorId(number),
          productId: number,
        });
        expect(digits).toHaveLength(21);
        expect(readSetupCode(digits)).toMatchObject({ passcode, discriminator: { value: discriminator >> 8 } });
      }),
      searchOf(1_000),
    );
  });

  test('is read from the text of a QR code', () => {
    fc.assert(
      fc.property(discriminators, passcodes, fc.boolean(), (discriminator, passcode, onIpNetwork) => {
        const qr = QrPairingCodeCodec.encode([
          {
            version: 0,
            vendorId: VendorId(0xfff1),
            productId: 0x8000,
            flowType: 0,
            discoveryCapabilities: onIpNetwork ? 6 : 2,
            discriminator,
            passcode,
          },
        ]);
        const code = { passcode, discriminator: { bits: 12, value: discriminator }, isOnNetwork: onIpNetwork };
        expect(readSetupCode(qr)).toEqual(code);
        expect(readSetupCode(qr.toLowerCase())).toEqual(code);
      }),
      searchOf(1_000),
    );
  });

  test('with one wrong digit, or two that changed places, is never taken', () => {
    const slips = fc.tuple(discriminators, passcodes, fc.nat(10), fc.integer({ min: 1, max: 9 }), fc.boolean());
    fc.assert(
      fc.property(slips, ([discriminator, passcode, place, by, isSwap]) => {
        const digits = manualOf(discriminator, passcode).split('');
        const before = digits.join('');
        if (isSwap) [digits[place], digits[(place + 1) % 11]] = [digits[(place + 1) % 11] ?? '', digits[place] ?? ''];
        else digits[place] = String((Number(digits[place]) + by) % 10);
        // The last and the first are no neighbours.
        fc.pre(digits.join('') !== before && !(isSwap && place === 10));
        expect(readSetupCode(digits.join(''))).toBe('mistyped');
      }),
      searchOf(2_000),
    );
  });

  test.each([
    ['', 'empty_code'],
    [' \n', 'empty_code'],
    ['hello', 'not_a_code'],
    ['3497011233', 'wrong_length'],
    ['349701123321', 'wrong_length'],
    ['MT:', 'wrong_length'],
    ['MT:Y.K9042C00KA0648G0', 'not_a_code'],
    ['MT:!.K9042C00KA0648G00', 'not_a_code'],
    ['MT:Y.K9042C00KA0648G00*Y.K9042C00KA0648G00', 'several_devices'],
    ['00000000005', 'forbidden_code'],
  ])('%j is refused as %s', (text, fault) => {
    expect(readSetupCode(text)).toBe(fault);
  });

  test('takes any text without failing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `MT:${text}`),
          fc.stringMatching(/^\d{1,30}$/),
        ),
        (text) => {
          const read = readSetupCode(text);
          expect(typeof read === 'string' || read.passcode > 0).toBe(true);
        },
      ),
      searchOf(2_000),
    );
  });
});
