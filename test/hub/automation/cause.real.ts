import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';
import { createPatientTime } from '#test/support/machine/fast-time.ts';
import { idOf } from '#core/automation-run/trace/run-reason.ts';

const STEP_MS = 200;
const LAMP = 'living-room-lamp';
const LOCK = 'front-door-lock';
const set = (device: string, values: JsonObject): JsonObject => ({
  command: { targets: { devices: [device] }, set: values, skip_if_same: false, wait: 'finished' },
});
const SCOPES = [
  'device:control',
  'device:read',
  'scene:run',
  'mode:set',
  'presence:tell',
  'automation:run',
  'automation:manage',
] as const;

/** `opens` opens the door by whatever the home shows, and other automations come before it. */
async function openHome() {
  const hub = await openRunningHub({ time: createPatientTime(STEP_MS) });
  const { home, owner } = hub;
  const number = { type: 'number', min: null, max: null, options: [], value: 0 } as const;
  for (const key of ['x', 'y', 'z']) await home.variables.addVariable({ key, name: key, ...number });
  await home.presence.change(owner.user.id, { awayAfterS: 1 });
  const lampIs = (on: boolean, more: JsonObject = {}) => ({
    type: 'feature',
    device: LAMP,
    key: 'on',
    to: on,
    ...more,
  });
  const opens = await hub.add('opens', {
    allow_sensitive: [LOCK],
    triggers: [
      lampIs(true),
      { type: 'mode', mode: 'home', to: 'night' },
      { type: 'mode', mode: 'home', to: 'vacation', for_s: 2 },
      { type: 'variable', variable: 'x', to: 1 },
      { type: 'presence', person: owner.user.id, to: 'away', for_s: 1 },
    ],
    steps: [set(LOCK, { locked: false })],
  });
  const waits = async (name: string, wait: JsonObject) =>
    hub.add(name, {
      allow_sensitive: [LOCK],
      triggers: [{ type: 'variable', variable: 'z', to: 1 }],
      steps: [{ wait_for: { timeout_s: 600, then: 'stop', ...wait } }, set(LOCK, { locked: false })],
    });
  await hub.add('lights', { triggers: [], steps: [set(LAMP, { on: true })] });
  await hub.add('chain', {
    triggers: [{ type: 'variable', variable: 'y', to: 1 }],
    steps: [{ delay: { s: 1 } }, { automation: { automation: 'lights', do: 'run' } }],
  });
  await hub.add('ended', {
    allow_sensitive: [LOCK],
    triggers: [{ type: 'automation', automation: 'lights', outcome: 'finished' }],
    steps: [set(LOCK, { locked: false })],
  });
  const night = { triggers: [{ type: 'mode', mode: 'home', to: 'night' }] };
  const held = { condition: { mode: { home: 'away' } } };
  const waiting = [await waits('waits-for', night), await waits('waits-until', held)];
  await hub.call('POST /group', { token: owner.token, body: { name: 'lamps', members: [LAMP] } });
  const scene = { name: 'bright', targets: [{ device: LAMP, set: { on: true } }] };
  expect((await hub.call('POST /scene', { token: owner.token, body: scene })).status).toBe(201);
  const script = await hub.addToken(owner.user, { scopes: [...SCOPES] });
  const opening = [opens, ...waiting, ...['ended'].flatMap((name) => home.automations.find(name) ?? [])];
  const done = async (path: string, token: string, body?: JsonObject) => {
    const answer = await hub.call(path, { token, ...(body && { body }) });
    expect([path, answer.status < 300, answer.status < 300 || answer.json]).toEqual([path, true, true]);
    return answer;
  };
  /** What the device itself has said last; `value` shows a wish before. */
  const told = (selector: string, key: string): JsonValue => {
    const state = hub.device(selector).states.get(key);
    return state?.quality === 'confirmed' ? state.value : null;
  };
  /** Everything as it was, by the owner, without anything that opens. */
  const reset = async (only: string): Promise<void> => {
    for (const { id } of opening) await home.automations.change(id, { enabled: false });
    for (const { id } of home.automations.automations()) await home.automationEngine.stop(id);
    const { token } = owner;
    for (const key of ['x', 'y', 'z']) await done(`PUT /variable/${key}`, token, { value: 0 });
    await done('PUT /mode/home', token, { value: 'home' });
    await done('POST /presence/me', token, { state: 'home' });
    await done(`POST /device/${LAMP}/command`, token, { set: { on: false } });
    // A locked bolt that gets this command moves once more, and reports for a while that it is nowhere.
    if (told(LOCK, 'locked') !== true) await done(`POST /device/${LOCK}/command`, token, { set: { locked: true } });
    await hub.until(() => told(LAMP, 'on') === false && told(LOCK, 'locked') === true);
    await home.automations.change(home.automations.find(only)?.id ?? opens.id, { enabled: true });
  };
  return { ...hub, script, done, told, reset };
}

type Home = Awaited<ReturnType<typeof openHome>>;
/** By whom, and which automation opens the door then. */
type Way = { readonly opener?: string; readonly go: (home: Home, token: string) => Promise<unknown> };

const lampOn = { set: { on: true } };
const WAYS: Readonly<Record<string, Way>> = {
  'a lamp': { go: ({ done }, token) => done(`POST /device/${LAMP}/command`, token, lampOn) },
  'a group': { go: ({ done }, token) => done('POST /device/lamps/command', token, lampOn) },
  'a scene': { go: ({ done }, token) => done('POST /scene/bright/activate', token) },
  'an undo': {
    go: async ({ done, home, until, told }, token) => {
      const { enabled: _, id } = home.automations.find('opens') ?? { enabled: false, id: undefined };
      if (id !== undefined) await home.automations.change(id, { enabled: false });
      await done(`POST /device/${LAMP}/command`, token, lampOn);
      await until(() => told(LAMP, 'on') === true);
      const off = await done(`POST /device/${LAMP}/command`, token, { set: { on: false } });
      await until(() => told(LAMP, 'on') === false);
      if (id !== undefined) await home.automations.change(id, { enabled: true });
      await done(`POST /command/${String(off.json['id'])}/undo`, token);
    },
  },
  'a mode': { go: ({ done }, token) => done('PUT /mode/home', token, { value: 'night' }) },
  'a mode that lasts': { go: ({ done }, token) => done('PUT /mode/home', token, { value: 'vacation' }) },
  'the end of a mode': {
    go: ({ done }, token) => done('PUT /mode/home', token, { value: 'away', for_s: 1, next: 'night' }),
  },
  'a variable': { go: ({ done }, token) => done('PUT /variable/x', token, { value: 1 }) },
  'a presence': { go: ({ done }, token) => done('POST /presence/me', token, { state: 'away' }) },
  'a start by name': { go: ({ done }, token) => done('POST /automation/lights/run', token) },
  'a chain with a wait': { go: ({ done }, token) => done('PUT /variable/y', token, { value: 1 }) },
  'an end of another one': { opener: 'ended', go: ({ done }, token) => done('POST /automation/lights/run', token) },
  'what another waits for': {
    opener: 'waits-for',
    go: async ({ done, owner, runs, until }, token) => {
      await done('PUT /variable/z', owner.token, { value: 1 });
      await until(() => runs().some(({ outcome }) => outcome === 'running'));
      await done('PUT /mode/home', token, { value: 'night' });
    },
  },
  'what another waits to become true': {
    opener: 'waits-until',
    go: async ({ done, owner, runs, until }, token) => {
      await done('PUT /variable/z', owner.token, { value: 1 });
      await until(() => runs().some(({ outcome }) => outcome === 'running'));
      await done('PUT /mode/home', token, { value: 'away' });
    },
  },
};

test('a token without the right opens nothing by what it changes, in any way, and a person by the same does', async () => {
  const home = await openHome();
  const stepsOf = (opener: string) => {
    const id = home.home.automations.find(opener)?.id;
    return home.runs().flatMap((run) => (run.automation === id && run.outcome !== 'running' ? run.steps : []));
  };
  const failed: unknown[] = [];
  for (const [name, { opener = 'opens', go }] of Object.entries(WAYS)) {
    await home.reset(opener);
    const before = stepsOf(opener).length;
    await go(home, home.script);
    await home.until(() => stepsOf(opener).length > before);
    const reason = stepsOf(opener).findLast(({ command }) => command !== null)?.reason ?? null;
    const { suspended } = home.home.automations.find(opener) ?? { suspended: null };
    const seen = [home.told(LOCK, 'locked'), idOf(reason), suspended];
    if (JSON.stringify(seen) !== JSON.stringify([true, 'CAUSE_NOT_ALLOWED', null]))
      failed.push([name, ...seen, reason]);
    await home.reset(opener);
    await go(home, home.owner.token);
    await home.until(() => home.told(LOCK, 'locked') === false);
  }
  expect(failed).toEqual([]);
});
