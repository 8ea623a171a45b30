import { expect, test } from 'vitest';
import { createPacketRation } from '#lan/mdns/mdns-links.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

/** A packet of so many bytes that says it has so many questions. */
function packet(size: number, items: number): Buffer {
  const bytes = Buffer.alloc(size);
  if (size >= 12) bytes.writeUInt16BE(items, 4);
  return bytes;
}
const QUESTION = packet(31, 1);
const DEAREST = packet(9_000, 200);

function openRation() {
  const time = createManualTime();
  const ration = createPacketRation(time.clock);
  /** How many of these packets are read of those that come within 10 s. */
  const admitted = async (perS: number, admit: (nth: number) => boolean): Promise<number> => {
    let count = 0;
    for (let nth = 0; nth < perS * 10; nth += 1) {
      if (admit(nth)) count += 1;
      await time.advance(1_000 / perS);
    }
    return count;
  };
  return { ration, time, admitted };
}

const oneAddress = (): string => 'fe80::66';
const newAddress = (nth: number): string => `fe80::${nth}`;

test.each([
  ['the dearest packets from one address', { bytes: DEAREST, addressOf: oneAddress, most: 300 }],
  ['the dearest packets from an address that is new each time', { bytes: DEAREST, addressOf: newAddress, most: 1_100 }],
  ['questions from one address', { bytes: QUESTION, addressOf: oneAddress, most: 5_000 }],
  ['questions from an address that is new each time', { bytes: QUESTION, addressOf: newAddress, most: 10_000 }],
])(
  'of 1,000 packets a second, %s, a bounded number is read, and the rare question of a neighbour always',
  async (_what, flood) => {
    const { ration, admitted } = openRation();
    let [asked, heard] = [0, 0];
    const count = await admitted(1_000, (nth) => {
      if (nth % 500 === 0) {
        asked += 1;
        if (ration.admit('fe80::2', QUESTION)) heard += 1;
      }
      return ration.admit(flood.addressOf(nth), flood.bytes);
    });
    expect(count).toBeLessThanOrEqual(flood.most);
    expect(heard / asked).toBeGreaterThanOrEqual(0.9);
  },
);

test('a packet larger than multicast DNS allows is not read, and an empty one costs little', () => {
  const { ration } = openRation();
  expect(ration.admit('fe80::2', packet(9_001, 0))).toBe(false);
  expect(ration.admit('fe80::2', Buffer.alloc(0))).toBe(true);
  expect(ration.admit('fe80::2', packet(12, 65_535))).toBe(false);
});
