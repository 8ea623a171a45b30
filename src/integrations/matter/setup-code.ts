/** The code of a device says enough to find it and to prove that its owner let it in. */
export type SetupCode = {
  readonly passcode: number;
  /** A QR code has all 12 bits of it, a typed number its upper 4 bits. */
  readonly discriminator: { readonly bits: 12 | 4; readonly value: number };
  /** Whether it says that it can join over the network; `null` where the code does not tell. */
  readonly isOnNetwork: boolean | null;
};

export type SetupCodeFault =
  | 'empty_code'
  | 'not_a_code'
  | 'wrong_length'
  | 'mistyped'
  | 'several_devices'
  | 'newer_version'
  | 'forbidden_code';

/** From the text of a QR code (`MT:…`), or from the number that is printed beside it, with spaces or hyphens. */
export function readSetupCode(text: string): SetupCode | SetupCodeFault {
  const compact = text.replaceAll(/\s/g, '');
  if (compact === '') return 'empty_code';
  if (/^MT:/i.test(compact)) return fromQr(compact.slice('MT:'.length).toUpperCase());
  const digits = compact.replaceAll('-', '');
  if (!/^\d+$/.test(digits)) return 'not_a_code';
  return fromDigits(digits);
}

const SHORT = 11;
const LONG = 21;

function fromDigits(digits: string): SetupCode | SetupCodeFault {
  const first = Number(digits[0]);
  // A first digit of 4 and more says that maker and product follow.
  const isLong = first >= 4;
  if (digits.length !== SHORT && digits.length !== LONG) return 'wrong_length';
  if (!isVerhoeff(digits)) return 'mistyped';
  if (first > 7) return 'newer_version';
  if (isLong !== (digits.length === LONG)) return 'wrong_length';
  const middle = Number(digits.slice(1, 6));
  const passcode = (Number(digits.slice(6, 10)) << 14) | (middle & 0x3fff);
  if (middle > 0xffff || isForbidden(passcode)) return 'forbidden_code';
  const value = ((first & 3) << 2) | (middle >> 14);
  return { passcode, discriminator: { bits: 4, value }, isOnNetwork: null };
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-.';
const BYTES = 11;
/** Characters that make so many bytes. */
const GROUPS: ReadonlyMap<number, number> = new Map([
  [5, 3],
  [4, 2],
  [2, 1],
]);

function fromQr(text: string): SetupCode | SetupCodeFault {
  if (text.includes('*')) return 'several_devices';
  const bytes = bytesFrom(text);
  if (bytes === undefined) return 'not_a_code';
  if (bytes.length < BYTES) return 'wrong_length';
  let bits = 0n;
  for (const byte of bytes.slice(0, BYTES).toReversed()) bits = (bits << 8n) | BigInt(byte);
  const take = (from: number, count: number): number => Number((bits >> BigInt(from)) & ((1n << BigInt(count)) - 1n));
  if (take(0, 3) !== 0) return 'newer_version';
  const passcode = take(57, 27);
  if (isForbidden(passcode)) return 'forbidden_code';
  return { passcode, discriminator: { bits: 12, value: take(45, 12) }, isOnNetwork: (take(37, 8) & 4) !== 0 };
}

function bytesFrom(text: string): readonly number[] | undefined {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at += 5) {
    const group = text.slice(at, at + 5);
    const count = GROUPS.get(group.length);
    if (count === undefined) return undefined;
    let value = 0;
    for (const character of group.split('').toReversed()) {
      const digit = ALPHABET.indexOf(character);
      if (digit < 0) return undefined;
      value = value * ALPHABET.length + digit;
    }
    if (value >= 2 ** (8 * count)) return undefined;
    for (let byte = 0; byte < count; byte += 1) bytes.push((value >> (8 * byte)) & 0xff);
  }
  return bytes;
}

/** No device may have these: a code that says so is no device's. */
function isForbidden(passcode: number): boolean {
  const digits = String(passcode).padStart(8, '0');
  return digits.length > 8 || /^(\d)\1{7}$/.test(digits) || digits === '12345678' || digits === '87654321';
}

/** The group in which the check digit is reckoned: the one of the pentagon's turns and flips. */
function combine(left: number, right: number): number {
  if (left < 5) return right < 5 ? (left + right) % 5 : 5 + ((left + right) % 5);
  return right < 5 ? 5 + ((left - right) % 5) : (left - right + 5) % 5;
}

const PERMUTATION = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

/** Whether the last digit is the check digit of Verhoeff for those before. */
function isVerhoeff(digits: string): boolean {
  let check = 0;
  for (const [place, character] of digits.split('').toReversed().entries()) {
    let digit = Number(character);
    for (let turn = 0; turn < place % 8; turn += 1) digit = PERMUTATION[digit] ?? 0;
    check = combine(check, digit);
  }
  return check === 0;
}
