// A program as its author would write it: typed by openapi-typescript, sent by openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths } from './hub.d.ts';

/** An event of a type that this document does not have goes through `tell` and leaves it without a word. */
type Event = components['schemas']['KnownEvent'];

const [, , baseUrl = '', email = '', password = ''] = process.argv;
const hub = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl });
const login = await hub.POST('/api/v1/login', { body: { email, password } });
if (login.error !== undefined) throw new Error(login.error.code);
hub.use({
  onRequest: ({ request }) => request.headers.set('Authorization', `Bearer ${login.data.access_token}`),
});

const list = await hub.GET('/api/v1/device');
if (list.error !== undefined) throw new Error(list.error.code);
const names: string[] = list.data.map((device) => device.name);
const lamp = list.data.find(({ selector }) => selector === 'kitchen-ceiling');
const isOn = lamp?.features.find(({ key }) => key === 'on')?.value === true;
let since = list.response.headers.get('event-cursor') ?? '';

const command = await hub.POST('/api/v1/device/{selector}/command', {
  params: { path: { selector: 'kitchen-ceiling' }, header: { Prefer: 'wait=5' } },
  body: { set: { on: !isOn } },
});
if (command.error !== undefined) throw new Error(command.error.code);
const renamed = await hub.PATCH('/api/v1/room/{selector}', {
  params: { path: { selector: 'kitchen' } },
  body: { name: 'Galley' },
});
const history = await hub.GET('/api/v1/device/{selector}/feature/{key}/history', {
  params: { path: { selector: 'kitchen-ceiling', key: 'on' } },
});
const scene = await hub.POST('/api/v1/scene', {
  body: { name: 'Dinner', targets: [{ device: 'living-room-lamp', set: { on: true } }] },
});
if (scene.error !== undefined) throw new Error(scene.error.code);
const activated = await hub.POST('/api/v1/scene/{selector}/activate', {
  params: { path: { selector: scene.data.selector } },
});
const automation = await hub.POST('/api/v1/automation', {
  body: {
    name: 'Evening',
    triggers: [{ type: 'time', at: '18:30' }],
    steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
  },
});

function tell(event: Event): string | undefined {
  if (event.type === 'room.changed') return `${event.type} ${event.data.room.name}`;
  if (event.type !== 'feature.changed' || event.data.feature.key !== 'on') return undefined;
  return event.data.device.selector === 'kitchen-ceiling' ? `${event.type} ${event.data.feature.value}` : undefined;
}

const events = new Set<string>();
while (!events.has('room.changed Galley')) {
  const page = await hub.GET('/api/v1/event', { params: { query: { since, wait: 5 } } });
  if (page.error !== undefined) throw new Error(page.error.code);
  since = page.data.cursor;
  for (const line of (page.data.events as Event[]).map(tell)) if (line !== undefined) events.add(line);
}
await hub.PATCH('/api/v1/room/{selector}', { params: { path: { selector: 'kitchen' } }, body: { name: 'Kitchen' } });
const missing = await hub.GET('/api/v1/device/{selector}', { params: { path: { selector: 'nothing' } } });
const result = {
  devices: names.length,
  room: lamp?.room?.name,
  wanted: !isOn,
  command: command.data.status,
  renamed: renamed.data?.name,
  history: history.data?.series[0]?.series,
  scene: activated.data?.status,
  automation: automation.data?.state,
  events: [...events],
  missing: missing.error?.code,
};
console.log(JSON.stringify(result));
