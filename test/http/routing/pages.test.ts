import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Route } from '#http/routing/route.ts';
import { OWNER, PEER } from '#test/support/hub/auth-harness.ts';
import { openHubApp, type HubApp } from '#test/support/hub/hub-app.ts';

let hub: HubApp;
beforeAll(async () => {
  hub = await openHubApp();
});

const nameOf = ({ path }: Route): string => path.replace('/api/v1', '');
const rowsOf = ({ answers }: Route): readonly string[] => {
  const shape = answers[200] instanceof z.ZodMiniObject ? Object.entries(answers[200].shape) : [];
  return shape.flatMap(([name, schema]) => (schema instanceof z.ZodMiniArray ? name : []));
};
const queryOf = ({ query }: Route): readonly string[] =>
  query instanceof z.ZodMiniObject ? Object.keys(query.shape) : [];
const reading = () => hub.routes.filter(({ method, path }) => method === 'GET' && path.startsWith('/api/v1'));

/** Released as arrays; the header `Link` has their next page. */
const LINKED = ['/api_token', '/audit', '/device', '/session'];
/** The list comes whole, because it has at most so many rows. */
const BOUNDS: Readonly<Record<string, number>> = {
  '/user': 1_000,
  '/backup': 23,
  '/room': 1_000,
  '/mode': 10,
  '/variable': 200,
  '/calendar': 20,
  '/group': 50,
  '/find': 20,
  '/scene': 200,
  '/automation': 500,
  '/automation/:selector/version': 301,
  '/automation/:selector/near_miss': 64,
  '/automation_template': 112,
  '/webhook': 16,
  '/webhook/:id/delivery': 50,
  '/notification_channel': 17,
  '/exporter': 8,
  '/integration': 500,
  '/integration_kind': 30,
  '/integration_found': 700,
};

test('a list is whole and bounded, or has pages by limit and cursor', () => {
  const lists = reading().filter(({ answers }) => answers[200] instanceof z.ZodMiniArray);
  const linked = lists.filter((route) => queryOf(route).includes('cursor'));
  expect(linked.map(nameOf).toSorted()).toEqual(LINKED);
  for (const route of linked) {
    expect([nameOf(route), queryOf(route).includes('limit')]).toEqual([nameOf(route), true]);
    expect(route.note?.().answerHeaders?.[200]).toContain('Link');
  }
  const whole = lists.filter((route) => !linked.includes(route));
  expect(whole.map(nameOf).toSorted()).toEqual(Object.keys(BOUNDS).toSorted());
  expect(Math.max(...Object.values(BOUNDS))).toBeLessThanOrEqual(1_000);
});

test('a page that is an object has its rows beside the cursor of the next page', () => {
  const isPaged = (route: Route) => queryOf(route).includes('cursor') && !LINKED.includes(nameOf(route));
  const paged = reading().filter((route) => isPaged(route) && route.answers[200] !== null);
  expect(paged.map((route) => [nameOf(route), rowsOf(route).length > 0, 'next' in shapeOf(route)])).toEqual(
    paged.map((route) => [nameOf(route), true, true]),
  );
  expect(paged.map(nameOf)).toEqual(
    expect.arrayContaining(['/notification', '/history/series', '/history/timeline', '/automation_run']),
  );
});

function shapeOf({ answers }: Route): object {
  return answers[200] instanceof z.ZodMiniObject ? answers[200].shape : {};
}

test('pages of the sessions of one person have each once', async () => {
  const ask = async (path: string) => {
    const headers = { Authorization: `Bearer ${hub.accessToken}` };
    const answer = await hub.app.fetch(new Request(`http://hub.local${path}`, { headers }));
    const [, next = null] = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? [];
    return { ids: ((await answer.json()) as { id: string }[]).map(({ id }) => id), next };
  };
  const login = { ...OWNER, clientName: null, rotating: false, clientToken: null };
  for (let count = 0; count < 4; count += 1) await hub.auth.signIn.logIn(login, PEER);
  const { ids: all } = await ask('/api/v1/session');
  const seen: string[] = [];
  for (let path: string | null = '/api/v1/session?limit=2'; path !== null;) {
    const page: Awaited<ReturnType<typeof ask>> = await ask(path);
    seen.push(...page.ids);
    path = page.next;
  }
  expect(all).toHaveLength(5);
  expect(seen).toEqual(all);
});
