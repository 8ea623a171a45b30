import { expect, test } from 'vitest';
import { PROBLEMS } from '#base/hub-error.ts';
import { problemsRoutes } from '#http/reference/problems.ts';
import { vocabularyRoutes } from '#http/reference/vocabulary.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

const { request } = createTestApp([...problemsRoutes(), ...vocabularyRoutes()]);

test('the type of every problem is the path of its explanation, which needs no token', async () => {
  const list = (await (await request('/problems')).json()) as { type: string; code: string; status: number }[];
  expect(list.map(({ code }) => code)).toEqual(Object.keys(PROBLEMS));
  for (const kind of list) {
    const answer = await request(kind.type);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(kind);
  }
});

test.each(['/problems/', '/problems/nothing', '/problems/NOT-FOUND', '/problems/__proto__'])(
  '%s is not found',
  async (path) => expect((await request(path)).status).toBe(404),
);

test('the vocabulary is shown in the form of the API', async () => {
  expect((await request('/api/v1/vocabulary')).status).toBe(401);
  const answer = await request('/api/v1/vocabulary', { headers: { Authorization: 'Bearer guest' } });
  const { capabilities } = (await answer.json()) as { capabilities: Record<string, unknown> };
  expect(Object.keys(capabilities)).toEqual(Object.keys(VOCABULARY));
  expect(capabilities['brightness']).toEqual({
    kind: 'state',
    value_type: 'number',
    unit: 'percent',
    writable: true,
    category: 'primary',
    history: 'gauge',
    matter: 'LevelControl.currentLevel',
  });
});
