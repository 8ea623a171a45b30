import type { ServerSentEvent } from '#base/network/lan-ports.ts';
import { createByteRoom } from './byte-room.ts';

/** Bytes of a stream of server-sent events → events. Throws ConnectionFault `too_large`. */
type EventDecoder = (bytes: Uint8Array) => ServerSentEvent[];

const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Decodes by the rules of the WHATWG (HTML, 9.2.6). `retry` is ignored: when to connect again is the caller's choice.
 * The ends of lines are found in the bytes, so a character that two pieces share is whole when it is decoded.
 */
export function createEventDecoder(maxBytes: number): EventDecoder {
  const line = createByteRoom(maxBytes, 'an event');
  // Invalid UTF-8 becomes U+FFFD. The mark is taken off the first line only.
  const text = new TextDecoder('utf-8', { ignoreBOM: true });
  const readField = createFieldReader(maxBytes);
  let isFirstLine = true;
  let endsInCr = false;

  const endLine = (bytes: Uint8Array): ServerSentEvent | undefined => {
    line.add(bytes);
    const whole = text.decode(line.take());
    const bare = isFirstLine && whole.startsWith(BYTE_ORDER_MARK) ? whole.slice(1) : whole;
    isFirstLine = false;
    return readField(bare);
  };
  return (bytes) => {
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (endsInCr && byte === LF) start = index + 1;
      else if (byte === LF || byte === CR) {
        const event = endLine(bytes.subarray(start, index));
        if (event !== undefined) events.push(event);
        start = index + 1;
      }
      endsInCr = byte === CR;
    }
    line.add(bytes.subarray(start));
    return events;
  };
}

/** Takes one line; returns an event with the empty line that ends it. */
function createFieldReader(maxBytes: number): (line: string) => ServerSentEvent | undefined {
  const data = createByteRoom(maxBytes, 'an event');
  let lines = 0;
  let event = '';
  let id = '';
  const dispatch = (): ServerSentEvent | undefined => {
    const whole = data.take().toString('utf8');
    const isEmpty = lines === 0;
    const type = event === '' ? 'message' : event;
    lines = 0;
    event = '';
    return isEmpty ? undefined : { id, event: type, data: whole };
  };
  return (line) => {
    if (line === '') return dispatch();
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') event = value;
    // An id with a NUL is ignored, because it could not be sent back in a header.
    else if (name === 'id' && !value.includes('\0')) id = value;
    else if (name === 'data') {
      data.add(Buffer.from(lines === 0 ? value : `\n${value}`));
      lines += 1;
    }
    return undefined;
  };
}
