import { type Frame, type Piece, text } from '#test/support/attack/costly-input.ts';

export const around =
  (start: string, end: string): Frame =>
  (body) =>
    Buffer.concat([Buffer.from(start), body, Buffer.from(end)]);
/** What lists, objects and strings are made of; which of it makes sense is the frame's to say. */
export const PIECES: readonly Piece[] = [
  ...['1,', '"a",', '{"a":1},', '\\u0001', ' '].map(text),
  ({ at }) => Buffer.from(`"k${at}":1,`),
  ({ at }) => Buffer.from(`"00000000-0000-4000-8000-${String(at).padStart(12, '0')}",`),
];
