import type { JsonObject } from '#base/json.ts';
import type { TokenScope } from '#auth/scope.ts';
import { documentOf, type Draw, type Names, type Planned, type Signal, triggersOf } from './chain-plan.ts';
import type { RigHome } from './rig-home.ts';

/** All that a script may have that opens no door. */
export const PLAIN_SCOPES = [
  'device:read',
  'device:control',
  'scene:run',
  'mode:set',
  'presence:tell',
  'automation:read',
  'automation:run',
  'automation:manage',
] as const satisfies readonly TokenScope[];

/** `name`: by its name, and so is all but `signal` and `undo`. */
export const ACTS = ['signal', 'undo', 'run', 'hook', 'secret', 'enable', 'save'] as const;
export type Act = (typeof ACTS)[number];

/** Puts the automations into the home, each as who signs it, or as the owner where that one may not. */
export async function saveAll(
  rig: RigHome,
  plan: readonly Planned[],
  tokens: Readonly<Record<Planned['signer'], string>>,
): Promise<{ readonly names: Names; readonly refused: ReadonlySet<number> }> {
  const ids: string[] = [];
  const scenes = rig.hub().home.scenes.scenes();
  const names: Names = {
    device: rig.idOf,
    scene: (at) => scenes.find(({ name }) => name === `scene ${at}`)?.id ?? '',
    automation: (at) => ids[at] ?? '',
  };
  const refused = new Set<number>();
  // What a step names must be there, and steps name later ones only.
  for (const [at, { signer, isDisabled }] of [...plan.entries()].toReversed()) {
    const body = { name: `a${at}`, enabled: !isDisabled, ...documentOf(plan, at, names) };
    const answer = await rig.call('POST /automation', { token: tokens[signer], body });
    if (answer.status === 403) refused.add(at);
    const token = answer.status === 403 ? tokens.owner : tokens[signer];
    const { id } = answer.status === 201 ? answer.json : await rig.made('POST /automation', { token, body });
    ids[at] = String(id);
  }
  for (const [at, planned] of plan.entries()) {
    if (planned.follows === null) continue;
    const token = tokens[refused.has(at) ? 'owner' : planned.signer];
    await rig.made(`PATCH /automation/${ids[at]}`, { token, body: { triggers: triggersOf(planned, at, names) } });
  }
  return { names, refused };
}

/** The clock starts it in two minutes, and nothing else does. */
export async function startsAtTime(rig: RigHome, automation: string): Promise<void> {
  const { home } = rig.hub();
  const record = home.automations.find(automation);
  if (record === undefined) throw new Error('there is no such automation');
  const at = new Date(rig.wallMs() + 120_000).toISOString().slice(11, 16);
  const definition = { ...record.definition, triggers: [{ id: 'clock', type: 'time', at } as const] };
  await rig.during(home.automations.save(record.id, { definition, signer: record.signer, note: null }));
}

/** Everything as before, and no automation there. */
export async function clear(rig: RigHome): Promise<void> {
  const { home } = rig.hub();
  for (const { id } of home.automations.automations()) await rig.during(home.automations.remove(id));
  const by = { type: 'session', id: rig.owner.sessionId, userId: rig.owner.user.id } as const;
  for (const { key, value } of home.variables.variables())
    if (value !== 0) await rig.during(home.variables.setVariable(key, { value: 0, by, cause: null }));
  for (const { key, value } of home.modes.modes())
    if (value === 'on') await rig.during(home.modes.setMode(key, { value: 'off', by, forMs: null, next: undefined }));
  rig.rest();
  await rig.pass(1_000);
  rig.takeMoved();
}

type Asked = { readonly rig: RigHome; readonly token: string; readonly names: Names; readonly draw: Draw };

/** Gives the signal of an automation by hand, or by what a script may change. The status of the answer. */
export async function giveSignal({ rig, token, names, draw }: Asked, signal: Signal, at: number): Promise<number> {
  const lamp: readonly (readonly [string, JsonObject | undefined])[] = [
    [`POST /device/${names.device(`lamp${at}`)}/command`, { set: { on: true } }],
    [`POST /scene/${names.scene(at)}/activate`, undefined],
  ];
  const ways: Readonly<Record<Signal, readonly [string, JsonObject | undefined]>> = {
    lamp: lamp[draw(2)] ?? ['', undefined],
    group: lamp[draw(2)] ?? ['', undefined],
    mode: [`PUT /mode/m${at}`, { value: 'on' }],
    variable: [`PUT /variable/v${at}`, { value: 1 }],
    none: [`POST /automation/${names.automation(at)}/run`, undefined],
  };
  const [line, body] = ways[signal];
  return (await rig.call(line, { token, body })).status;
}

/** Turns the lamp off and takes that back: the automation was saved while it was on. */
export async function undoOff({ rig, token, names }: Asked, at: number): Promise<number> {
  const off = await rig.call(`POST /device/${names.device(`lamp${at}`)}/command`, {
    token,
    body: { set: { on: false } },
  });
  if (off.status >= 300) return off.status;
  await rig.pass(1_000);
  return (await rig.call(`POST /command/${String(off.json['id'])}/undo`, { token })).status;
}

/** Starts the automation by its name, or lets something start it. */
export async function startByName(asked: Asked, act: Exclude<Act, 'signal' | 'undo'>, at: number): Promise<number> {
  const { rig, token, names } = asked;
  const path = `/automation/${names.automation(at)}`;
  if (act === 'run' || act === 'enable') return (await rig.call(`POST ${path}/${act}`, { token })).status;
  if (act === 'hook') return (await rig.call(`POST ${path}/hook/ring`, { token, body: {} })).status;
  if (act === 'secret') {
    const { status, json } = await rig.call(`PUT ${path}/hook/ring/secret`, { token });
    if (status >= 300) return status;
    return (await rig.call(`POST ${path}/hook/ring`, { token: String(json['secret']), body: {} })).status;
  }
  const steps = [{ automation: { automation: names.automation(at), do: 'run' } }];
  const body = { name: 'new', triggers: [{ type: 'mode', mode: 'never', to: 'on' }], steps };
  const { status, json } = await rig.call('POST /automation', { token, body });
  if (status >= 300) return status;
  return (await rig.call(`POST /automation/${String(json['id'])}/run`, { token })).status;
}
