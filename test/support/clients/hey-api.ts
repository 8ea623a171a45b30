// A program as its author would write it, on a client of hey-api.
import { client } from './hub/client.gen.ts';
import * as hub from './hub/sdk.gen.ts';
import type { KnownEvent } from './hub/types.gen.ts';

const [, , baseUrl = '', email = '', password = ''] = process.argv;
client.setConfig({ baseUrl });
const login = await hub.login({ body: { email, password }, throwOnError: true });
client.setConfig({ auth: () => login.data.access_token });

const list = await hub.listDevices({ throwOnError: true });
const names: string[] = list.data.map((device) => device.name);
const lamp = list.data.find(({ selector }) => selector === 'kitchen-ceiling');
const isOn = lamp?.features.find(({ key }) => key === 'on')?.value === true;
let since = list.response.headers.get('event-cursor') ?? '';

const command = await hub.commandDevice({
  path: { selector: 'kitchen-ceiling' },
  headers: { Prefer: 'wait=5' },
  body: { set: { on: !isOn } },
  throwOnError: true,
});
const room = { path: { selector: 'kitchen' } };
const renamed = await hub.updateRoom({ ...room, body: { name: 'Galley' }, throwOnError: true });
const history = await hub.getFeatureHistory({ path: { selector: 'kitchen-ceiling', key: 'on' }, throwOnError: true });
const scene = await hub.createScene({
  body: { name: 'Dinner', targets: [{ device: 'living-room-lamp', set: { on: true } }] },
  throwOnError: true,
});
const activated = await hub.activateScene({ path: { selector: scene.data.selector }, throwOnError: true });
const automation = await hub.createAutomation({
  body: {
    name: 'Evening',
    triggers: [{ type: 'time', at: '18:30' }],
    steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
  },
  throwOnError: true,
});

function tell(event: KnownEvent): string | undefined {
  if (event.type === 'room.changed') return `${event.type} ${event.data.room.name}`;
  if (event.type !== 'feature.changed' || event.data.feature.key !== 'on') return undefined;
  return event.data.device.selector === 'kitchen-ceiling' ? `${event.type} ${event.data.feature.value}` : undefined;
}

const events = new Set<string>();
while (!events.has('room.changed Galley')) {
  const page = await hub.followEvents({ query: { since, wait: 5 }, throwOnError: true });
  // The same address also speaks `text/event-stream`, so that it may be a text.
  if (typeof page.data === 'string') throw new Error(page.data);
  since = page.data.cursor;
  for (const line of (page.data.events as KnownEvent[]).map(tell)) if (line !== undefined) events.add(line);
}
await hub.updateRoom({ ...room, body: { name: 'Kitchen' }, throwOnError: true });
const missing = await hub.getDevice({ path: { selector: 'nothing' } });
const result = {
  devices: names.length,
  room: lamp?.room?.name,
  wanted: !isOn,
  command: command.data.status,
  renamed: renamed.data.name,
  history: typeof history.data === 'string' ? undefined : history.data.series[0]?.series,
  scene: activated.data.status,
  automation: automation.data.state,
  events: [...events],
  missing: missing.error?.code,
};
console.log(JSON.stringify(result));
