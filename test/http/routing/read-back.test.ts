import { beforeAll, expect, test } from 'vitest';
import { openHubApp, type HubApp } from '#test/support/hub/hub-app.ts';

let hub: HubApp;
beforeAll(async () => {
  hub = await openHubApp();
});

async function send(call: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const [method = '', path = ''] = call.split(' ');
  const answer = await hub.app.fetch(
    new Request(`http://hub.local/api/v1${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${hub.accessToken}`,
        'Content-Type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  const text = await answer.text();
  return { status: answer.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
}

type Pair = {
  /** What has to be there first, and what each has that is not the usual. */
  readonly made?: readonly (readonly [call: string, body: unknown])[];
  readonly path: string;
};

const PAIRS: Readonly<Record<string, Pair>> = {
  'PUT /mode/:key': { path: '/mode/home', made: [['PUT /mode/home', { value: 'away', for_s: 3_600, next: 'night' }]] },
  'PUT /variable/:key': {
    path: '/variable/bedtime',
    made: [['POST /variable', { key: 'bedtime', name: 'Bedtime', type: 'time', value: '22:30' }]],
  },
  'PUT /calendar/:key': {
    path: '/calendar/holidays',
    made: [['PUT /calendar/holidays', { name: 'Holidays', dates: ['12-25'], free: false }]],
  },
  'PUT /hub/location': {
    path: '/hub/location',
    made: [['PUT /hub/location', { latitude: 52.5163, longitude: 13.41 }]],
  },
  'PUT /energy/settings': {
    path: '/energy/settings',
    made: [
      [
        'PUT /energy/settings',
        {
          tariffs: [
            {
              id: 'power',
              for: 'import',
              currency: 'EUR',
              valid_from: '2026-01-01',
              kind: 'times',
              prices: [{ price: 0.2, from: '22:00', to: '06:00', days: ['mon'] }, { price: 0.3 }],
            },
          ],
        },
      ],
    ],
  },
  'PUT /automation/:selector': {
    path: '/automation/evening',
    made: [
      [
        'POST /automation',
        {
          name: 'Evening',
          room: 'kitchen',
          labels: ['light'],
          description: 'It gets dark.',
          triggers: [{ type: 'time', at: '18:30' }],
          conditions: [{ time: { after: '17:00' } }],
          steps: [{ command: { targets: { devices: ['lamp'] }, set: { on: true } } }],
        },
      ],
    ],
  },
  'PUT /provider/:name': { path: '/provider/weather', made: [['PUT /provider/weather', { lease_s: 60 }]] },
  'PUT /me/home': { path: '/me/home', made: [['PUT /me/home', { favorites: ['lamp'], hidden: ['kitchen'] }]] },
  'PATCH /history/settings': { path: '/history/settings' },
  'PATCH /notification/settings': { path: '/notification/settings' },
  'PATCH /device/:selector/feature/:key/recording': {
    path: '/device/lamp/feature/on/recording',
    made: [['PATCH /device/lamp/feature/on/recording', { mode: 'on', min_interval_s: 5 }]],
  },
};
/** These ask a device for a value, which is a command each time: `GET` and `PUT` have the same bare value. */
const COMMANDS = ['PUT /device/:selector/feature/:key'];

test('each call that replaces what another shows has its example here', () => {
  const named = (method: string) =>
    hub.routes.filter((route) => route.method === method).map(({ path }) => path.replace('/api/v1', ''));
  const shown = named('GET');
  const pairs = [
    ...named('PUT').flatMap((path) => (shown.includes(path) ? [`PUT ${path}`] : [])),
    ...named('PATCH').flatMap((path) => (/\/(settings|recording)$/.test(path) ? [`PATCH ${path}`] : [])),
  ];
  expect(pairs.toSorted()).toEqual([...Object.keys(PAIRS), ...COMMANDS].toSorted());
});

test.each(Object.entries(PAIRS))('%s takes what GET gives, and changes nothing', async (call, { path, made = [] }) => {
  const [method] = call.split(' ');
  for (const [first, body] of made) expect((await send(first, body)).status).toBeLessThan(300);
  const { json: before } = await send(`GET ${path}`);
  const cursor = hub.home.events.cursor();
  const { status, json } = await send(`${method} ${path}`, before);
  expect({ status, json }).toMatchObject({ status: 200, json: before });
  expect((await send(`GET ${path}`)).json).toEqual(before);
  expect(hub.home.events.cursor()).toBe(cursor);
});

test('a body that is out of date is refused as that, also where it differs in what the call does not change', async () => {
  const { json: before } = await send('GET /mode/home');
  expect((await send('PATCH /mode/home', { name: 'Our home' })).status).toBe(200);
  const ifMatch = { 'If-Match': `"${String(before['revision'])}"` };
  expect((await send('PUT /mode/home', before, ifMatch)).status).toBe(412);
  expect((await send('PUT /mode/home', before)).json).toMatchObject({ errors: [{ pointer: '/name' }] });
});

test.each([
  ['PUT /mode/home', { value: 'night', name: 'House' }, '/name'],
  ['PUT /variable/bedtime', { value: '22:00', type: 'text' }, '/type'],
  ['PUT /calendar/holidays', { dates: [], key: 'free' }, '/key'],
  ['PUT /provider/weather', { id: 'other' }, '/id'],
  ['PUT /mode/home', { value: 'night', stranger: 1 }, '/stranger'],
])('%s with %j is refused at %s', async (call, body, pointer) => {
  expect(await send(call, body)).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
});
