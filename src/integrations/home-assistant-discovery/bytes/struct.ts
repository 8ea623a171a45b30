/*
 * Numbers as bytes, by the format texts of Python's `struct`: of one value, as Home Assistant's filters `pack` and
 * `unpack` have them.
 */

type Item = { readonly code: string; readonly at: number; readonly size: number };
type Layout = { readonly isLittle: boolean; readonly items: readonly Item[]; readonly size: number };

const SIZES: Readonly<Record<string, number>> = {
  x: 1,
  c: 1,
  b: 1,
  B: 1,
  '?': 1,
  h: 2,
  H: 2,
  i: 4,
  I: 4,
  l: 4,
  L: 4,
  q: 8,
  Q: 8,
  e: 2,
  f: 4,
  d: 8,
};
/** Of a machine of 64 bits, where `n` and `N` are known as well. */
const NATIVE: Readonly<Record<string, number>> = { ...SIZES, l: 8, L: 8, n: 8, N: 8 };
const FORMAT = /^([@=<>!]?)((?:\s*\d*[a-zA-Z?])*)\s*$/;
const MAX_FORMAT = 100;
const MAX_SIZE = 65_536;

/** `undefined` for a format that Python refuses; `null` for one that the hub does not know. */
function layoutOf(format: string): Layout | undefined | null {
  if (format.length > MAX_FORMAT) return null;
  const [, order = '', body = ''] = FORMAT.exec(format) ?? [];
  if (format !== '' && body === '' && order === '') return undefined;
  const isNative = order === '' || order === '@';
  const sizes = isNative ? NATIVE : SIZES;
  const items: Item[] = [];
  let at = 0;
  for (const [, digits = '', code = ''] of body.matchAll(/(?<!\d)(\d*)([a-zA-Z?])/g)) {
    const count = digits === '' ? 1 : Number(digits);
    const isText = code === 's';
    const size = isText ? 1 : sizes[code];
    if (size === undefined) return /[pPFD]/.test(code) ? null : undefined;
    if (isNative && !isText) at = Math.ceil(at / size) * size;
    if (at + count * size > MAX_SIZE) return null;
    if (isText) items.push({ code, at, size: count });
    else if (code !== 'x')
      for (let index = 0; index < count; index += 1) items.push({ code, at: at + index * size, size });
    at += count * size;
  }
  return { isLittle: order === '<' || order === '=' || isNative, items, size: at };
}

/** What stands there: an int, a float, a boolean or bytes; `undefined` where Python finds no such value. */
export type Unpacked = bigint | number | boolean | Buffer | undefined;

/** The first value in bytes. `null` for a format that the hub does not know. */
export function unpacked(bytes: Buffer, format: string, offset: number): Unpacked | null {
  const layout = layoutOf(format);
  if (layout === null) return null;
  const start = offset < 0 ? bytes.length + offset : offset;
  if (layout === undefined || start < 0 || start + layout.size > bytes.length) return undefined;
  const [item] = layout.items;
  if (item === undefined) return null;
  return valueIn(bytes.subarray(start + item.at, start + item.at + item.size), item, layout.isLittle);
}

function valueIn(own: Buffer, { code }: Item, isLittle: boolean): Unpacked {
  if (code === 's' || code === 'c') return Buffer.from(own);
  if (code === '?') return own[0] !== 0;
  const view = new DataView(own.buffer, own.byteOffset, own.length);
  if (code === 'f') return view.getFloat32(0, isLittle);
  if (code === 'd') return view.getFloat64(0, isLittle);
  if (code === 'e') return halfFrom(view.getUint16(0, isLittle));
  const number = BigInt(`0x${Buffer.from(isLittle ? own.toReversed() : own).toString('hex')}`);
  return isSigned(code) ? BigInt.asIntN(own.length * 8, number) : number;
}

function isSigned(code: string): boolean {
  return code === code.toLowerCase();
}

/** Of 16 bits, by IEEE 754. */
function halfFrom(bits: number): number {
  const [exponent, fraction] = [(bits >> 10) & 0x1f, bits & 0x3ff];
  const size =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 0x1f
        ? fraction === 0
          ? Infinity
          : Number.NaN
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits >> 15 === 1 ? -size : size;
}

/** A value as bytes; `undefined` where Python finds that it does not fit, `null` for a format that the hub does not know. */
export function packed(value: bigint | number | boolean | Buffer, format: string): Buffer | undefined | null {
  const layout = layoutOf(format);
  if (layout === null) return null;
  const [item, second] = layout?.items ?? [];
  if (layout === undefined || item === undefined || second !== undefined) return undefined;
  const isBeyond = item.code === 'f' && Number.isFinite(Number(value)) && !Number.isFinite(Math.fround(Number(value)));
  if (item.code === 'e' || isBeyond) return null;
  const bytes = Buffer.alloc(layout.size);
  const own = bytes.subarray(item.at, item.at + item.size);
  return isWritten(own, value, { ...item, isLittle: layout.isLittle }) ? bytes : undefined;
}

/** False where the value does not fit. */
function isWritten(
  own: Buffer,
  value: bigint | number | boolean | Buffer,
  { code, isLittle }: Item & Pick<Layout, 'isLittle'>,
): boolean {
  if (code === 's' || code === 'c') {
    if (!Buffer.isBuffer(value) || (code === 'c' && value.length !== 1)) return false;
    value.copy(own);
    return true;
  }
  if (Buffer.isBuffer(value)) return false;
  const view = new DataView(own.buffer, own.byteOffset, own.length);
  if (code === 'f' || code === 'd') {
    const number = Number(value);
    if (code === 'd') view.setFloat64(0, number, isLittle);
    else view.setFloat32(0, number, isLittle);
    return true;
  }
  if (code === '?') {
    own[0] = Number(value) === 0 ? 0 : 1;
    return true;
  }
  if (typeof value === 'number') return false;
  const whole = BigInt(value);
  const bits = own.length * 8;
  const wrapped = isSigned(code) ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
  if (wrapped !== whole) return false;
  const hex = BigInt.asUintN(bits, whole)
    .toString(16)
    .padStart(own.length * 2, '0');
  const written = Buffer.from(hex, 'hex');
  own.set(isLittle ? written.toReversed() : written);
  return true;
}
