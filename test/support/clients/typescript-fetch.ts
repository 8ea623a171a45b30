// A program as its author would write it, on a client of openapi-generator's typescript-fetch.
import {
  AccountApi,
  AutomationApi,
  Configuration,
  DeviceApi,
  EventApi,
  HistoryApi,
  type KnownEvent,
  KnownEventFromJSON,
  ResponseError,
  RoomApi,
  SceneApi,
} from './hub/index.ts';

const [, , basePath = '', email = '', password = ''] = process.argv;
const account = new AccountApi(new Configuration({ basePath }));
const { accessToken } = await account.login({ loginRequest: { email, password } });
const configuration = new Configuration({ basePath, accessToken });
const devices = new DeviceApi(configuration);
const rooms = new RoomApi(configuration);

const answer = await devices.listDevicesRaw({});
const list = await answer.value();
const names: string[] = list.map((device) => device.name);
const lamp = list.find(({ selector }) => selector === 'kitchen-ceiling');
const isOn = lamp?.features.find(({ key }) => key === 'on')?.value === true;
let since = answer.raw.headers.get('event-cursor') ?? '';

const command = await devices.commandDevice({
  selector: 'kitchen-ceiling',
  prefer: 'wait=5',
  commandRequest: { set: { on: !isOn } },
});
const renamed = await rooms.updateRoom({ selector: 'kitchen', roomUpdate: { name: 'Galley' } });
const history = await new HistoryApi(configuration).getFeatureHistory({ selector: 'kitchen-ceiling', key: 'on' });
const scenes = new SceneApi(configuration);
const scene = await scenes.createScene({
  sceneCreate: { name: 'Dinner', targets: [{ device: 'living-room-lamp', set: { on: true } }] },
});
const activated = await scenes.activateScene({ selector: scene.selector });
const automation = await new AutomationApi(configuration).createAutomation({
  automationCreate: {
    name: 'Evening',
    triggers: [{ type: 'time', at: '18:30' }],
    steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
  },
});

function tell(event: KnownEvent): string | undefined {
  if (event.type === 'room.changed') return `${event.type} ${event.data.room.name}`;
  if (event.type !== 'feature.changed' || event.data.feature.key !== 'on') return undefined;
  return event.data.device.selector === 'kitchen-ceiling' ? `${event.type} ${event.data.feature.value}` : undefined;
}

const events = new Set<string>();
while (!events.has('room.changed Galley')) {
  const page = await new EventApi(configuration).followEvents({ since, wait: 5 });
  since = page.cursor;
  for (const line of page.events.map((event) => tell(KnownEventFromJSON(event))))
    if (line !== undefined) events.add(line);
}
await rooms.updateRoom({ selector: 'kitchen', roomUpdate: { name: 'Kitchen' } });
const missing = await devices.getDevice({ selector: 'nothing' }).catch((error: unknown) => {
  if (error instanceof ResponseError) return error.response.json() as Promise<{ code: string }>;
  throw error;
});
const result = {
  devices: names.length,
  room: lamp?.room?.name,
  wanted: !isOn,
  command: command.status,
  renamed: renamed.name,
  history: history.series[0]?.series,
  scene: activated.status,
  automation: automation.state,
  events: [...events],
  missing: 'code' in missing ? missing.code : undefined,
};
console.log(JSON.stringify(result));
