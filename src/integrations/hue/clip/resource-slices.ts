import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { parseJson } from '#base/json.ts';
import { bridgeFault } from './bridge.ts';
import { readResource, type Resource } from './clip-message.ts';

/** Bytes read per turn of the event loop, including the parsing of what is in them. */
const SLICE_BYTES = 64 * 1024;
/** The limit of one resource: the largest are scenes of a whole house. */
const MAX_RESOURCE_BYTES = 64 * 1024;
const MAX_DEPTH = 32;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Yields the resources in `data` of `{"errors": […], "data": […]}`. Parses one at a time and gives other work its turn in
 * between, because the answer of a large home has more than a megabyte. What is no resource is left out. Throws
 * PeerFault if the whole has another form.
 */
export async function* resourcesInAnswer(bytes: Uint8Array): AsyncGenerator<Resource, void, undefined> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [depth, start, textStart, sliceEnd] = [0, -1, -1, 0];
  let isInText = false;
  /** The last text directly in the outer object: the name of the member that follows. */
  let member = '';
  let hasData = false;
  for (let index = 0; index < buffer.length; index += 1) {
    if (index >= sliceEnd) {
      sliceEnd = index + SLICE_BYTES;
      await turnOfOthers();
    }
    const byte = buffer[index];
    if (isInText) {
      if (byte === BACKSLASH) index += 1;
      else if (byte === QUOTE) {
        isInText = false;
        if (depth === 1) member = buffer.subarray(textStart, Math.min(index, textStart + 16)).toString('latin1');
      }
    } else if (byte === QUOTE) {
      isInText = true;
      textStart = index + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth > MAX_DEPTH) throw badAnswer(`nests deeper than ${MAX_DEPTH}`);
      if (depth === 1 && (byte === OPEN_ARRAY || index > 0)) throw badAnswer('is no object');
      if (depth === 2 && member === 'data') hasData = byte === OPEN_ARRAY;
      if (depth === 3) start = index;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      depth -= 1;
      if (depth < 0) throw badAnswer('closes more than it opens');
      if (depth === 2 && member === 'data') {
        const resource = parseResource(buffer.subarray(start, index + 1));
        if (resource !== undefined) yield resource;
      }
    }
  }
  if (depth !== 0 || isInText || !hasData) throw badAnswer('ends too early, or has no data');
}

function badAnswer(why: string): Error {
  return bridgeFault('BAD_ANSWER', new Error(why));
}

function parseResource(bytes: Buffer): Resource | undefined {
  return bytes.length > MAX_RESOURCE_BYTES ? undefined : readResource(parseJson(bytes.toString('utf8')));
}
