import type { HubProcess } from '#test/support/daemon/hub-process.ts';
import type { Operation } from './operation.ts';

/** Ids for the parameters of paths. */
export type Pools = {
  readonly take: (parameter: Pick<Operation, 'method' | 'path'> & { readonly name: string }, index: number) => string;
  /** Remembers what the answer to a `POST` made. */
  readonly note: (path: string, json: unknown) => void;
};

/** The index of what was made last: most of the others may be gone. */
export const NEWEST = -1;
const MAX_IDS = 40;
/** Deletions would take things away from other requests, so only one of these may go. */
const SPARE: Readonly<Record<string, string>> = {
  device: 'bedroom-window',
  room: 'bedroom',
  provider: 'fan',
  mode: 'heating',
  calendar: 'spare',
  automation_template: 'spare',
  variable: 'spare',
  scene: 'spare',
  automation: 'spare-rule',
  group: 'spare-lamps',
};

/** Calls about something by the ids of something else. */
const SAME_IDS: Readonly<Record<string, string>> = { presence: 'user' };

/** Where two names must fit each other, most requests have two that do; calls that name nothing else leave them as they are. */
const OFTEN: readonly (readonly [part: string, names: Readonly<Record<string, string>>])[] = [
  ['/hook/', { selector: 'hook-rule', trigger: 't1' }],
  // What one removes the other brings back.
  ['DELETE /api/v1/automation/{selector}', { selector: 'spare-rule' }],
  ['/automation/{selector}/restore', { selector: 'spare-rule' }],
  ['/feature/', { selector: 'kitchen-ceiling', key: 'on' }],
  // The device of a provider that no request removes.
  ['/device/{external_id}', { name: 'weather', external_id: 'spare' }],
];

/** Keys that many devices have. */
const FEATURES = ['on', 'brightness', 'battery', 'temperature'];
const FAN = { key: 'on', capability: 'on', kind: 'state', value_type: 'boolean' };
const METERS = [
  ['Meter', 'energy', 'energy_returned', 'power'],
  ['Inverter', 'energy'],
  ['Fridge plug', 'energy'],
] as const;
const RESTORE = '/api/v1/backup/{id}/restore';

const kindOf = (path: string): string => path.split('/{')[0]?.split('/').at(-1) ?? '';

/** Calls that make something that their path does not name. */
const MADE: Readonly<Record<string, string>> = {
  '/api/v1/device/{selector}/command': 'command',
  '/api/v1/automation_simulation': 'automation_simulation',
  '/api/v1/automation/{selector}/run': 'automation_run',
  '/api/v1/automation_template/{id}/instantiate': 'automation',
};

/** What a `POST` to the path makes if it succeeds; `undefined` where only the status 201 tells. */
export const madeBy = (path: string): string | undefined => MADE[path];
/** Whether a `POST` to the path makes what the other path is about. */
export const makes = (path: string, other: string): boolean =>
  other.startsWith(`${path}/{`) || madeBy(path) === kindOf(other);

/** Ids of everything, of which there is at least one at the start. */
export async function openPools(hub: HubProcess, token: string): Promise<Pools> {
  const ids = new Map<string, string[]>();
  const add = (kind: string, id: unknown): void => {
    if (typeof id !== 'string') return;
    const list = ids.get(kind) ?? [];
    ids.set(kind, [...list.slice(-MAX_IDS), id]);
  };
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await hub.ask(method, `/api/v1${path}`, { token, body });
    if (status >= 300) throw new Error(`${method} ${path} was answered by ${status}: ${JSON.stringify(json)}`);
    return json as Record<string, unknown>;
  };
  for (const kind of ['device', 'room']) {
    const list = (await ask('GET', `/${kind}`)) as unknown as readonly { id: string; selector: string }[];
    for (const { selector } of list) if (selector !== SPARE[kind]) add(kind, selector);
  }
  for (const id of ['simulated-home', 'zigbee2mqtt']) add('integration', id);
  // Its device has the same name.
  for (const name of ['weather', 'fan']) {
    await ask('PUT', `/provider/${name}`, {});
    await ask('PUT', `/provider/${name}/device/${name}`, { name, type: 'fan', features: [FAN] });
  }
  add('provider', 'weather');
  for (const code of ['not-found', 'internal-error', 'NOT_FOUND']) add('problems', code);
  add(
    'user',
    (await ask('POST', '/user', { email: 'v@example.org', password: 'cup river stamp', name: 'V', role: 'guest' }))[
      'id'
    ],
  );
  const channel = { type: 'webhook', url: 'http://127.0.0.1:9/hook', enabled: false };
  add('notification_channel', (await ask('POST', '/notification_channel', channel))['id']);
  add('notification', (await ask('POST', '/notification', { title: 'Hello' }))['id']);
  // Each may be removed by chance.
  for (let count = 0; count < 4; count += 1) {
    const exporter = { type: 'line_protocol', url: 'http://127.0.0.1:9/write', enabled: false };
    add('exporter', (await ask('POST', '/exporter', exporter))['id']);
    add('webhook', (await ask('POST', '/webhook', { url: 'http://127.0.0.1:9/hook', enabled: false }))['id']);
  }
  add('integration_setup', (await ask('POST', '/integration_setup', { kind: 'mqtt' }))['id']);
  add('api_token', (await ask('POST', '/api_token', { name: 'Pool', preset: 'read_only' }))['id']);
  // The series of the document's example for the settings of energy.
  for (const [name, ...keys] of METERS) {
    const features = keys.map((key) => ({ key, capability: key, kind: 'state', value_type: 'number' }));
    await ask('PUT', `/provider/weather/device/${name.length}`, { name, type: 'other', features });
  }
  for (const key of ['dinner', SPARE['variable']]) {
    await ask('POST', '/variable', { key, name: 'Dinner', type: 'time', value: '22:00' });
  }
  const targets = [{ device: 'kitchen-ceiling', set: { on: true } }];
  for (const name of ['Dinner', 'Spare']) await ask('POST', '/scene', { name, targets });
  for (const selector of ['dinner', 'all-off']) add('scene', selector);
  const steps = [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }];
  for (const name of ['Dinner rule', 'Spare rule']) {
    await ask('POST', '/automation', { name, triggers: [{ type: 'time', at: '18:00' }, { type: 'hook' }], steps });
  }
  add('automation', 'dinner-rule');
  await ask('POST', '/automation', { name: 'Hook rule', triggers: [{ type: 'hook' }], steps });
  add('automation_run', (await ask('POST', '/automation/dinner-rule/run'))['run']);
  for (const id of ['low-batteries', 'motion-light', 'leak']) add('automation_template', id);
  const spare = { id: 'spare', version: 1, name: 'Spare', definition: { triggers: [], steps } };
  await ask('POST', '/automation_template', spare);
  for (const name of ['Dinner lamps', 'Spare lamps'])
    await ask('POST', '/group', { name, members: ['kitchen-ceiling'] });
  add('group', 'dinner-lamps');
  add('variable', 'dinner');
  await ask('POST', '/mode', { key: SPARE['mode'], name: 'Heating', values: ['summer', 'winter'] });
  add('mode', 'home');
  for (const key of ['holidays', 'spare']) await ask('PUT', `/calendar/${key}`, { dates: ['12-24..12-26'] });
  add('calendar', 'holidays');
  const definition = { triggers: [{ type: 'time', at: '12:00' }], steps };
  for (let count = 0; count < 3; count += 1) {
    add('automation_simulation', (await ask('POST', '/automation_simulation', { definition }))['id']);
  }
  add('backup', (await ask('POST', '/backup'))['id']);
  add('command', (await ask('POST', '/device/kitchen-ceiling/command', { set: { on: true } }))['id']);
  return {
    take: ({ method, path, name }, index) => {
      const often = index % 4 > 0 ? OFTEN.find(([part]) => `${method} ${path}`.includes(part))?.[1][name] : undefined;
      if (often !== undefined) return often;
      const third = String(1 + (Math.abs(index) % 3));
      if (name === 'trigger') return `t${third}`;
      if (name === 'external_id') return index % 2 === 0 ? 'fan' : 'spare';
      if (name === 'version') return third;
      if (name === 'key' && path.includes('/feature/')) return FEATURES.at(index % FEATURES.length) ?? '';
      // A restore would undo the other requests under way.
      if (path === RESTORE) return 'none';
      const kind = SAME_IDS[kindOf(path)] ?? kindOf(path);
      const spare = method === 'DELETE' && !path.endsWith('/pairing') ? SPARE[kind] : undefined;
      const list = ids.get(kind) ?? [];
      // Rooms that a request created may go too.
      const made = spare === undefined ? list : [spare, ...list.filter((id) => /^[0-9a-f]{8}-/.test(id))];
      return encodeURIComponent(made.at(index % Math.max(1, made.length)) ?? 'none');
    },
    note: (path, json) => {
      if (typeof json !== 'object' || json === null) return;
      const id = 'id' in json ? json.id : 'run' in json ? json.run : undefined;
      if (id !== undefined) add(madeBy(path) ?? kindOf(path), id);
    },
  };
}
