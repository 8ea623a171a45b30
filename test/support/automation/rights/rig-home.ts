import type { JsonObject } from '#base/json.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { ProviderDoor } from '#core/provider/provider.ts';
import { openWholeHub, type Person, type WholeAnswer, type WholeHub } from '#test/support/hub/whole-hub.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createBench } from '#test/storage/storage-harness.ts';

const START_MS = Date.UTC(2026, 0, 1, 12);
const STEP_MS = 250;
const PROVIDER = 'rig';
export const LAMPS = 8;

/** What opens the home, and how. The alarm is in the living room, the others are in the hall. */
export const SENSITIVE = {
  lock: { key: 'locked', to: false },
  garage: { key: 'x.garage_door', to: true },
  alarm: { key: 'arm_mode', to: 'disarmed' },
} as const;
export type SensitiveName = keyof typeof SENSITIVE;
export const SENSITIVE_NAMES: readonly SensitiveName[] = ['lock', 'garage', 'alarm'];

type RigDevice = { readonly room: string; readonly type: string; readonly features: readonly JsonObject[] };

const flag = (key: string): JsonObject => {
  return { key, capability: key, kind: 'state', value_type: 'boolean', writable: true };
};
const DEVICES: Readonly<Record<string, RigDevice>> = {
  lock: { room: 'hall', type: 'door_lock', features: [flag('locked')] },
  garage: { room: 'hall', type: 'other', features: [flag('x.garage_door')] },
  alarm: {
    room: 'living',
    type: 'other',
    features: [{ ...flag('arm_mode'), value_type: 'enum', options: ['disarmed', 'armed_away'] }],
  },
  spare: { room: 'hall', type: 'on_off_light', features: [flag('on')] },
  ...Object.fromEntries(
    Array.from({ length: LAMPS }, (_, at): [string, RigDevice] => [
      `lamp${at}`,
      { room: at % 2 === 0 ? 'living' : 'hall', type: 'on_off_light', features: [flag('on')] },
    ]),
  ),
};
const AT_REST: Readonly<Record<string, JsonObject>> = {
  lock: { locked: true },
  garage: { 'x.garage_door': false },
  alarm: { arm_mode: 'armed_away' },
};

/**
 * The whole hub with devices of a script, which obey each command after a moment, and do nothing else unless the test
 * says so. Time moves only by `pass` and while the hub is asked something. It outlives a restart of the hub.
 */
export async function openRigHome() {
  const bench = createBench();
  const time = createManualTime(START_MS);
  /** What the devices show. */
  const truth = new Map<string, JsonObject>();
  const moved: string[] = [];
  const during = async <Answer>(work: Promise<Answer>): Promise<Answer> => {
    const state = { isOver: false };
    const end = (): void => void (state.isOver = true);
    work.then(end, end);
    while (!state.isOver) await time.advance(10);
    return work;
  };
  // What the hub loads with its first provider is there already: no time passes meanwhile.
  await import('#integrations/provider/provider.ts');
  let opened = await during(openWholeHub({ bench, time, isEmpty: true }));

  const call = async (line: string, { token, body }: Asking): Promise<WholeAnswer> => {
    const asked = requestOf(line, { token, body });
    const answer = await during(Promise.resolve(opened.fetch(asked)));
    const text = await answer.text();
    return { status: answer.status, json: text === '' ? {} : (JSON.parse(text) as JsonObject) };
  };
  /** Of what it made, each test reads texts only. */
  const made = async (line: string, asked: Asking): Promise<Readonly<Record<string, string>>> => {
    const { status, json } = await call(line, asked);
    if (status >= 300) throw new Error(`${line} ${status} ${JSON.stringify(json)}`);
    return json as Record<string, string>;
  };
  const report = (device: string, values: JsonObject): void => {
    truth.set(device, { ...truth.get(device), ...values });
    const given = { externalId: device, values: new Map(Object.entries(values)) };
    doorOf(opened).report({ ...given, occurrences: [], observedAtMs: null, availability: null });
  };
  const obey = async (): Promise<void> => {
    const door = doorOf(opened);
    door.renew();
    for (const { id, externalId, set } of await door.takeCommands(0, new AbortController().signal)) {
      truth.set(externalId, { ...truth.get(externalId), ...Object.fromEntries(set) });
      moved.push(externalId);
      door.answerCommand(id, { status: 'done', values: set });
    }
  };
  const owner = await during(opened.addPerson('ada', 'owner'));
  await furnish(opened, { made, owner });
  /** All devices are as at the beginning, by no command. */
  const rest = (): void => {
    for (const device of Object.keys(DEVICES)) report(device, AT_REST[device] ?? { on: false });
  };
  rest();
  return {
    hub: (): WholeHub => opened,
    owner,
    call,
    made,
    during,
    report,
    wallMs: time.clock.wallMs,
    pass: async (ms: number): Promise<void> => {
      for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
        await time.advance(STEP_MS);
        await obey();
      }
    },
    /** The devices that got a command since the last call. */
    takeMoved: (): ReadonlySet<string> => new Set(moved.splice(0)),
    idOf: (device: string): DeviceId => (opened.home.devices.findDevice(device) ?? deviceIn(opened, device)).id,
    restart: async (): Promise<void> => {
      await during(opened.end());
      opened = await during(openWholeHub({ bench, time, isEmpty: true }));
      for (const [device, values] of truth) report(device, values);
    },
    rest,
  };
}

export type RigHome = Awaited<ReturnType<typeof openRigHome>>;
type Asking = { readonly token: string; readonly body?: unknown };

function requestOf(line: string, { token, body }: Asking): Request {
  const [method = '', path = ''] = line.split(' ');
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  // A hook takes its secret in place of a token.
  const who = token.startsWith('hhk_') ? { 'Hearthd-Hook': token } : { Authorization: `Bearer ${token}` };
  return new Request(`http://hub.local/api/v1${path}`, {
    method,
    headers: { ...who, 'Content-Type': type, Prefer: 'wait=0' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

export function isSensitiveName(device: string): device is SensitiveName {
  return device in SENSITIVE;
}

function doorOf({ home }: WholeHub): ProviderDoor {
  const found = home.supervisor.findIntegration(PROVIDER)?.provider;
  if (found === undefined) throw new Error('the provider does not run');
  return found;
}

function deviceIn({ home }: Pick<WholeHub, 'home'>, name: string): Device {
  const found = home.devices.findByExternalId(PROVIDER, name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

type Furnishing = {
  readonly made: (line: string, asked: Asking) => Promise<unknown>;
  readonly owner: Person;
};

/**
 * Two rooms with the devices; a mode, a variable, a scene and a group for each lamp; and a lamp, mode and variable that
 * never change.
 */
async function furnish(hub: WholeHub, { made, owner: { user, token } }: Furnishing): Promise<void> {
  const script = await hub.addToken(user, { scopes: ['device:provide'], provider: PROVIDER });
  await made(`PUT /provider/${PROVIDER}`, { token: script, body: { name: 'Rig', lease_s: 3_600 } });
  for (const name of ['hall', 'living']) await made('POST /room', { token, body: { name } });
  for (const [name, { room, ...device }] of Object.entries(DEVICES)) {
    await made(`PUT /provider/${PROVIDER}/device/${name}`, { token: script, body: { name, ...device } });
    await made(`PATCH /device/${deviceIn(hub, name).id}`, { token, body: { room } });
  }
  const number = { type: 'number', min: null, max: null, options: [], value: 0 } as const;
  const keys = [
    ...Array.from({ length: LAMPS }, (_, at) => [`v${at}`, `m${at}`] as const),
    ['never', 'never'] as const,
  ];
  for (const [variable, mode] of keys) {
    await hub.home.variables.addVariable({ key: variable, name: variable, ...number });
    await hub.home.modes.addMode({ key: mode, name: mode, values: ['off', 'on'], value: 'off' });
  }
  for (let at = 0; at < LAMPS; at += 1) {
    const targets = [{ device: deviceIn(hub, `lamp${at}`).id, set: { on: true } }];
    await made('POST /scene', { token, body: { name: `scene ${at}`, targets } });
    const members = [deviceIn(hub, `lamp${at}`).id, deviceIn(hub, 'spare').id];
    await made('POST /group', { token, body: { name: `group${at}`, members } });
  }
}
