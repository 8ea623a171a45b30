import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { described } from '#http/note/described.ts';

test('a description belongs to one field, and not to others of the same schema', () => {
  const time = z.string();
  const document = z.toJSONSchema(
    z.object({ plain: time, since: described('Since then.', time), until: described('Until then.', time) }),
  );
  expect(document.properties).toEqual({
    plain: { type: 'string' },
    since: { type: 'string', description: 'Since then.' },
    until: { type: 'string', description: 'Until then.' },
  });
});
