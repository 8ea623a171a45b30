import type { HubProcess } from '#test/support/daemon/hub-process.ts';
import type { Operation } from './operation.ts';

/** Ids for the parameters of paths. */
export type Pools = {
  readonly take: (parameter: Pick<Operation, 'method' | 'path'> & { readonly name: string }, index: number) => string;
  /** Remembers what an answer made. */
  readonly note: (path: string, json: unknown) => void;
};

const MAX_IDS = 40;
/** Deletions would take things away from other requests, so only one of these may go. */
const SPARE: Readonly<Record<string, string>> = {
  device: 'bedroom-window',
  room: 'bedroom',
  provider: 'fan',
  mode: 'heating',
  variable: 'spare',
  scene: 'spare',
};

/** Calls about something by the ids of something else. */
const SAME_IDS: Readonly<Record<string, string>> = { presence: 'user' };

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

/** Ids of everything, of which there is at least one at the start. */
export async function openPools(hub: HubProcess, token: string): Promise<Pools> {
  const ids = new Map<string, string[]>();
  const add = (kind: string, id: unknown): void => {
    if (typeof id !== 'string') return;
    const list = ids.get(kind) ?? [];
    ids.set(kind, [...list.slice(-MAX_IDS), id]);
  };
  const ask = async (method: string, path: string, body?: unknown) =>
    (await hub.ask(method, `/api/v1${path}`, { token, body })).json as Record<string, unknown>;
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
  add('variable', 'dinner');
  await ask('POST', '/mode', { key: SPARE['mode'], name: 'Heating', values: ['summer', 'winter'] });
  add('mode', 'home');
  add('backup', (await ask('POST', '/backup'))['id']);
  add('command', (await ask('POST', '/device/kitchen-ceiling/command', { set: { on: true } }))['id']);
  return {
    take: ({ method, path, name }, index) => {
      if (name === 'key' && path.includes('/feature/')) return FEATURES[index % FEATURES.length] ?? '';
      // A restore would undo the other requests under way.
      if (path === RESTORE) return 'none';
      const kind = SAME_IDS[kindOf(path)] ?? kindOf(path);
      const spare = method === 'DELETE' && !path.endsWith('/pairing') ? SPARE[kind] : undefined;
      const list = ids.get(kind) ?? [];
      // Rooms that a request created may go too.
      const made = spare === undefined ? list : [spare, ...list.filter((id) => /^[0-9a-f]{8}-/.test(id))];
      return encodeURIComponent(made[index % Math.max(1, made.length)] ?? 'none');
    },
    note: (path, json) => {
      if (typeof json === 'object' && json !== null && 'id' in json)
        add(kindOf(`${path}/{`).replace(/\{$/, ''), json.id);
    },
  };
}
