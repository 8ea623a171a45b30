export const FRAME_END = '\n\n';

/** All of a server-sent event up to its data. Without an id the client keeps the one it has. */
export function frameHead(type: string, cursor?: string): string {
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}event: ${type}\ndata: `;
}

/** JSON has no line ends, so that it is one line of data. */
export function eventFrame(type: string, json: string, cursor?: string): Buffer {
  return Buffer.from(frameHead(type, cursor) + json + FRAME_END);
}

/** The cursor of a frame that has one. */
export function idOfFrame(frame: Buffer): string | undefined {
  return /^id: (\S+)\n/.exec(frame.subarray(0, MAX_ID_BYTES).toString('latin1'))?.[1];
}

/** A cursor is 48 characters at most. */
const MAX_ID_BYTES = 64;
const DATA = Buffer.from('\ndata: ');

/** The JSON in a frame. */
export function dataOfFrame(frame: Buffer): Buffer {
  return frame.subarray(frame.indexOf(DATA) + DATA.length, frame.length - FRAME_END.length);
}
