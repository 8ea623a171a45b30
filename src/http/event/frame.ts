import type { EncodedEvent } from '#core/event/event-log.ts';

export const FRAME_END = '\n\n';

/** The start of a server-sent event, up to its data. Without an id, the client keeps its last one. */
export function frameHead(type: string, cursor?: string): string {
  return `${cursor === undefined ? '' : `id: ${cursor}\n`}event: ${type}\ndata: `;
}

/** JSON has no line breaks, so it fits into one data line. */
export function eventFrame(type: string, json: string, cursor?: string): Buffer {
  return Buffer.from(frameHead(type, cursor) + json + FRAME_END);
}

/** An event as bytes, once for all readers: its frame, and where the data stand in it. */
export function encodeEvent(type: string, json: string, cursor: string): EncodedEvent {
  const frame = eventFrame(type, json, cursor);
  // The head has only ASCII characters.
  return { frame, dataFrom: frameHead(type, cursor).length, dataTo: frame.length - FRAME_END.length };
}
