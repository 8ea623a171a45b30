import { isSameJson, type JsonValue } from '#base/json.ts';
import type { CommandStep, SceneStep } from '#core/automation/document/step.ts';
import type { OperandSeen } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { SceneId } from '#core/scene/scene.ts';
import type { Running, Wish } from '#core/automation-run/engine.ts';
import { heldSince } from '#core/automation-run/guard/hands.ts';
import type { Node } from '#core/automation-run/program/program.ts';
import type { Moved, Thread } from '#core/automation-run/state/run-state.ts';
import { scopeOf, type Turn } from '#core/automation-run/turn.ts';

/** What a step is to send, and what of it is left out, by device. */
export type Order = {
  readonly wishes: ReadonlyMap<DeviceId, Wish>;
  readonly leftOut: ReadonlyMap<DeviceId, LeftOut>;
  readonly scene: SceneId | null;
  readonly isSensitive: boolean;
  readonly values: readonly OperandSeen[];
};
export type LeftOut = 'unchanged' | 'skipped: hand' | `refused: ${string}`;

/** The order of a command, scene or restore; a text where it cannot be given at all. */
export function orderOf(
  turn: Turn,
  running: Running,
  at: { readonly thread: Thread; readonly node: Node },
): Order | string {
  const values: OperandSeen[] = [];
  const asked = askedBy(turn, running, { ...at, values });
  if (typeof asked === 'string') return asked;
  const wishes = new Map<DeviceId, Wish>();
  const leftOut = new Map<DeviceId, LeftOut>();
  let isSensitive = false;
  for (const [device, wish] of asked) {
    const judged = judge(turn, running, { device, wish, node: at.node });
    if (typeof judged === 'string') leftOut.set(device, judged);
    else {
      wishes.set(device, judged);
      isSensitive ||= turn.home.isSensitive(device, judged);
    }
  }
  const { step } = at.node;
  return { wishes, leftOut, isSensitive, values, scene: 'scene' in step ? step.scene.scene : null };
}

type Asked = ReadonlyMap<DeviceId, Wish>;

function askedBy(
  turn: Turn,
  running: Running,
  { thread, node, values }: { readonly thread: Thread; readonly node: Node; readonly values: OperandSeen[] },
): Asked | string {
  const { step } = node;
  if ('scene' in step) {
    const wishes = turn.home.sceneWishes(step.scene.scene);
    return wishes === undefined ? 'the scene is gone' : new Map(wishes);
  }
  if ('restore' in step) return restored(turn, running, step.restore.since ?? 'run');
  if (!('command' in step)) return 'is not a command';
  const scope = scopeOf(turn, running, thread);
  const set: Record<string, JsonValue> = {};
  for (const [key, evaluate] of node.operands) {
    const value = evaluate(scope, values);
    if (value === undefined) return `the value for ${key} is unknown`;
    set[key] = value;
  }
  const wish: Wish = step.command.do === undefined ? { set } : { do: step.command.do };
  const devices = devicesOf(turn, running, { command: step.command, wish });
  return devices.length === 0 ? 'there is no such device' : new Map(devices.map((device) => [device, wish]));
}

function devicesOf(
  { home }: Turn,
  { state }: Running,
  { command, wish }: { readonly command: CommandStep; readonly wish: Wish },
): readonly DeviceId[] {
  const { devices = [], group, room, any_of: anyOf, trigger } = command.targets;
  const fitting = (found: readonly DeviceId[]): readonly DeviceId[] => found.filter((id) => home.canTake(id, wish));
  const all = [
    ...devices,
    ...(group === undefined ? [] : [group]),
    ...(room === undefined ? [] : fitting(home.devicesIn({ room }))),
    ...(anyOf === undefined ? [] : fitting(home.devicesIn({ anyOf }))),
    ...(trigger === undefined || state.trigger.device === null ? [] : [state.trigger.device]),
  ];
  return [...new Set(all)];
}

/** What the run moved and what is still as it set it. */
function restored({ view }: Turn, { state }: Running, since: 'run' | 'trigger'): Asked {
  const sets = new Map<DeviceId, Record<string, JsonValue>>();
  for (const { device, key, before, sent, isInherited } of state.moved) {
    if (before === null || (isInherited && since === 'run')) continue;
    const seen = view.value(device, key);
    // What was only sent may have been answered by a hand meanwhile.
    if (seen === undefined || !isSameJson(seen.value, sent)) continue;
    sets.set(device, { ...sets.get(device), [key]: before });
  }
  return new Map([...sets].map(([device, set]) => [device, { set }]));
}

/** The wish without what must be left out; a word where nothing is left. */
function judge(
  turn: Turn,
  { state, program }: Running,
  { device, wish, node }: { readonly device: DeviceId; readonly wish: Wish; readonly node: Node },
): Wish | LeftOut {
  const { definition } = program;
  if (turn.home.isSensitive(device, wish)) {
    if (!definition.allow_sensitive.includes(device)) return 'refused: SENSITIVE_NOT_NAMED';
    if (state.lateMs > 0) return 'refused: LATE';
  }
  const given = {
    nowMs: turn.nowMs,
    forMs: definition.yield_to_hand_s * 1_000,
    releasedMs: definition.release_on_mode ? turn.engine.homeModeChangedMs : -Infinity,
  };
  // A brightness that is sent to a lamp that a hand turned off would turn it on.
  const isHeld = (key: string): boolean =>
    [key, key.slice(0, key.lastIndexOf('.') + 1) + 'on'].some(
      (one) => heldSince(turn.engine.hands, `${device} ${one}`, given) !== undefined,
    );
  if ('do' in wish) return keysOf(wish).some(isHeld) ? 'skipped: hand' : wish;
  const free = Object.entries(wish.set).filter(([key]) => !isHeld(key));
  if (free.length === 0) return 'skipped: hand';
  const set = Object.fromEntries(free);
  return sendingOf(node).skip_if_same !== false && isSo(turn, device, set) ? 'unchanged' : { set };
}

/** Whether the device has reported all of it. What was only sent, or is from before a restart, is no proof. */
function isSo({ view }: Turn, device: DeviceId, set: Readonly<Record<string, JsonValue>>): boolean {
  return Object.entries(set).every(([key, value]) => {
    const seen = view.value(device, key);
    return seen?.quality === 'confirmed' && isSameJson(seen.value, value);
  });
}

/** The features that a wish moves. */
export function keysOf(wish: Wish): readonly string[] {
  if ('set' in wish) return Object.keys(wish.set);
  return [wish.do, ...(/^(.+\.)?toggle$/.test(wish.do) ? [wish.do.replace(/toggle$/, 'on')] : [])];
}

/** Notes what a command moves, for `restore`: the first value before and the last that was sent. */
export function noteMoved({ view }: Turn, { state }: Running, wishes: Order['wishes']): void {
  const moved = new Map<string, Moved>(state.moved.map((one) => [`${one.device} ${one.key}`, one]));
  for (const [device, wish] of wishes) {
    for (const [key, sent] of 'set' in wish ? Object.entries(wish.set) : []) {
      const known = moved.get(`${device} ${key}`);
      const seen = view.value(device, key);
      const before = seen === undefined || seen.quality === 'none' ? null : seen.value;
      // A restore begins anew: its value is the one from before.
      moved.set(`${device} ${key}`, { device, key, before: known?.before ?? before, sent, isInherited: false });
    }
  }
  state.moved = [...moved.values()].slice(-MAX_MOVED);
}
const MAX_MOVED = 200;

export function sendingOf({
  step,
}: Node): Partial<Omit<CommandStep, 'targets' | 'set' | 'do'> & Pick<SceneStep, 'wait'>> {
  if ('command' in step) return step.command;
  return 'scene' in step ? step.scene : {};
}
