import type { KeptEvent } from '#core/event/event-log.ts';

export const FRAME_END = '\n\n';

/** All of a server-sent event up to its data. Without an id the client keeps the one it has. */
export function frameHead(type: string, cursor?: string): string {
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}event: ${type}\ndata: `;
}

/** JSON has no line ends, so that it is one line of data. */
export function eventFrame(type: string, json: string, cursor?: string): Buffer {
  return Buffer.from(frameHead(type, cursor) + json + FRAME_END);
}

/** The frame of an event of the log, shared by all streams: never to be written to. */
export type FrameOf = (event: Pick<KeptEvent, 'sequence' | 'type' | 'json'>) => Buffer;

const END = Buffer.from(FRAME_END);
const MAX_REMEMBERED_BYTES = 256 * 1024;

/** Keeps the newest frames: the streams that follow the home need the same ones right after each other. */
export function createFramer(cursorAt: (sequence: number) => string): FrameOf {
  const frames = new Map<Parameters<FrameOf>[0], Buffer>();
  let bytes = 0;
  return (event) => {
    const known = frames.get(event);
    if (known !== undefined) return known;
    const frame = Buffer.concat([Buffer.from(frameHead(event.type, cursorAt(event.sequence))), event.json, END]);
    frames.set(event, frame);
    bytes += frame.length;
    for (const [oldest, { length }] of frames) {
      if (bytes <= MAX_REMEMBERED_BYTES) break;
      frames.delete(oldest);
      bytes -= length;
    }
    return frame;
  };
}
