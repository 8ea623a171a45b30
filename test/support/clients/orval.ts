// A program as its author would write it, on a client of orval that sends by fetch.
import * as hub from './hub/hub.ts';

const [, , baseUrl = '', email = '', password = ''] = process.argv;
const headers: Record<string, string> = {};
// The functions of orval ask for paths alone.
const { fetch } = globalThis;
globalThis.fetch = (path, init) =>
  fetch(`${baseUrl}${path as string}`, { ...init, headers: { ...init?.headers, ...headers } });

const login = await hub.login({ email, password });
if (login.status !== 200) throw new Error(login.data.code);
headers['Authorization'] = `Bearer ${login.data.access_token}`;

const list = await hub.listDevices();
if (list.status !== 200) throw new Error('the list did not come');
const names: string[] = list.data.map((device) => device.name);
const lamp = list.data.find(({ selector }) => selector === 'kitchen-ceiling');
const isOn = lamp?.features.find(({ key }) => key === 'on')?.value === true;
let since = list.headers.get('event-cursor') ?? '';

const prefer = { headers: { Prefer: 'wait=5' } };
const command = await hub.commandDevice('kitchen-ceiling', { set: { on: !isOn } }, {}, prefer);
const renamed = await hub.updateRoom('kitchen', { name: 'Galley' });
const history = await hub.getFeatureHistory('kitchen-ceiling', 'on');
const scene = await hub.createScene({
  name: 'Dinner',
  targets: [{ device: 'living-room-lamp', set: { on: true } }],
});
if (scene.status !== 201) throw new Error(scene.data.code);
const activated = await hub.activateScene(scene.data.selector, {});
const automation = await hub.createAutomation({
  name: 'Evening',
  triggers: [{ type: 'time', at: '18:30' }],
  steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
});

function tell(event: hub.KnownEvent): string | undefined {
  if (event.type === 'room.changed') return `${event.type} ${event.data.room.name}`;
  if (event.type !== 'feature.changed' || event.data.feature.key !== 'on') return undefined;
  return event.data.device.selector === 'kitchen-ceiling' ? `${event.type} ${event.data.feature.value}` : undefined;
}

const events = new Set<string>();
while (!events.has('room.changed Galley')) {
  const page = await hub.followEvents({ since, wait: 5, types: ['feature.changed', 'room.changed'] });
  if (page.status !== 200 || typeof page.data === 'string') throw new Error('the page did not come');
  since = page.data.cursor;
  for (const line of (page.data.events as unknown as hub.KnownEvent[]).map(tell))
    if (line !== undefined) events.add(line);
}
await hub.updateRoom('kitchen', { name: 'Kitchen' });
const missing = await hub.getDevice('nothing');
const result = {
  devices: names.length,
  room: lamp?.room?.name,
  wanted: !isOn,
  command: command.status === 200 ? command.data.status : undefined,
  renamed: renamed.status === 200 ? renamed.data.name : undefined,
  history: history.status === 200 && typeof history.data !== 'string' ? history.data.series[0]?.series : undefined,
  scene: activated.status === 200 && 'status' in activated.data ? activated.data.status : undefined,
  automation: automation.status === 201 ? automation.data.state : undefined,
  events: [...events],
  missing: missing.status === 404 ? missing.data.code : undefined,
};
console.log(JSON.stringify(result));
