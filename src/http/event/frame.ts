import type { KeptEvent } from '#core/event/event-log.ts';

export const FRAME_END = '\n\n';

/** The start of a server-sent event, up to its data. Without an id, the client keeps its last one. */
export function frameHead(type: string, cursor?: string): string {
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}event: ${type}\ndata: `;
}

/** JSON has no line breaks, so it fits into one data line. */
export function eventFrame(type: string, json: string, cursor?: string): Buffer {
  return Buffer.from(frameHead(type, cursor) + json + FRAME_END);
}

/** The frame of an event in the log. All streams share it, so nothing may write to it. */
export type FrameOf = (event: Pick<KeptEvent, 'sequence' | 'type' | 'json'>) => Buffer;

const END = Buffer.from(FRAME_END);
const MAX_REMEMBERED_BYTES = 256 * 1024;

/** Keeps the newest frames, because all live streams need the same frame at about the same time. */
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
