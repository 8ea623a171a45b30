import { expect, test } from 'vitest';
import { createFrameReader } from '#web/client/event-feed.ts';

const STREAM = ': hello\nid: a-1\nevent: x\ndata: {"a":1}\n\ndata: 1\ndata: 2\r\n\r\nid: a-2\n\nevent: y\ndata:\n\n';
const FRAMES = [
  { id: 'a-1', type: 'x', data: '{"a":1}' },
  { id: undefined, type: 'message', data: '1\n2' },
  { id: undefined, type: 'y', data: '' },
];

test('the frames are the same in whichever pieces the text arrives', () => {
  for (let size = 1; size <= STREAM.length; size += 1) {
    const read = createFrameReader();
    const pieces = STREAM.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    expect(pieces.flatMap((piece) => read(piece))).toEqual(FRAMES);
  }
});

test('a frame that is cut off is not reported', () => {
  expect(createFrameReader()('id: a-1\ndata: {}\n')).toEqual([]);
});
