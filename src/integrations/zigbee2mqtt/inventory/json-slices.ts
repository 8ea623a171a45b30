import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Bytes read per turn of the event loop: a few milliseconds of work, including the caller's parsing. */
const SLICE_BYTES = 16 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The text is not an array of objects, or nests too deep. */
export class JsonSliceError extends Error {}

/**
 * Yields the elements of a JSON array as bytes, without parsing them: JSON.parse would block for a fifth of a second on
 * a text of 17 MB. Gives other work its turn every SLICE_BYTES. Checks of an element only its nesting; the caller
 * checks its size.
 */
export async function* elementsOfJsonArray(bytes: Buffer, maxDepth: number): AsyncGenerator<Buffer, void, undefined> {
  let depth = 0;
  let start = -1;
  let isInText = false;
  let sliceEnd = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    if (index >= sliceEnd) {
      sliceEnd = index + SLICE_BYTES;
      await yieldToOthers();
    }
    const byte = bytes[index];
    if (isInText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) {
      if (depth < 2) throw new JsonSliceError('not an array of objects');
      isInText = true;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > maxDepth) throw new JsonSliceError(`nests deeper than ${maxDepth}`);
      if (depth === 1 && (byte === OPEN_OBJECT || start !== -1)) throw new JsonSliceError('not one array');
      if (depth === 1) start = -2;
      if (depth === 2) start = index;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth < 0) throw new JsonSliceError('not one array');
      if (depth === 1) yield bytes.subarray(start, index + 1);
    } else if (depth < 2 && byte !== COMMA && !isSpace(byte)) {
      throw new JsonSliceError('not an array of objects');
    }
  }
  if (depth !== 0 || isInText || start === -1) throw new JsonSliceError('ends too early');
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
