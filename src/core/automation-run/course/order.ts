import { isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import type { CommandStep, SceneStep } from '#core/automation/document/step.ts';
import type { OperandSeen } from '#core/automation/view.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { SceneId } from '#core/scene/scene.ts';
import type { Running, Wish } from '#core/automation-run/engine.ts';
import { heldSince } from '#core/automation-run/guard/hands.ts';
import type { Node, Program } from '#core/automation-run/program/program.ts';
import type { Moved, Thread } from '#core/automation-run/state/run-state.ts';
import { scopeOf, type Turn } from '#core/automation-run/turn.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';
import type { Wording } from '#words/texts.ts';

/** A step sends these wishes, and leaves out devices for a reason. */
export type Order = {
  readonly wishes: ReadonlyMap<DeviceId, Wish>;
  readonly leftOut: ReadonlyMap<DeviceId, LeftOut>;
  readonly scene: SceneId | null;
  readonly isSensitive: boolean;
  readonly values: readonly OperandSeen[];
};
/** An id of a reason. */
type LeftOut = 'unchanged' | 'hand' | 'SENSITIVE_NOT_NAMED' | 'LATE';

/** The order of a command, scene or restore; a reason where it cannot be given at all. */
export function orderOf(
  turn: Turn,
  running: Running,
  at: { readonly thread: Thread; readonly node: Node },
): Order | Wording {
  const values: OperandSeen[] = [];
  const asked = askedBy(turn, running, { ...at, values });
  if ('id' in asked) return asked;
  const wishes = new Map<DeviceId, Wish>();
  const leftOut = new Map<DeviceId, LeftOut>();
  let isSensitive = false;
  for (const [device, wish] of asked) {
    const refused = sensitiveRefusal(turn, running, { device, wish });
    if (refused !== undefined) {
      leftOut.set(device, refused);
      continue;
    }
    for (const [target, part] of besideHands(turn, running.program, { device, wish })) {
      // What names a member by itself comes before what its group is to be.
      if (target !== device && asked.has(target)) continue;
      const judged = judge(turn, running.program, { device: target, wish: part, node: at.node });
      if (typeof judged === 'string') leftOut.set(target, judged);
      else {
        wishes.set(target, judged);
        isSensitive ||= turn.home.isSensitive(target, judged);
      }
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
): Asked | Wording {
  const { step } = node;
  if ('scene' in step) {
    const wishes = turn.home.sceneWishes(step.scene.scene);
    return wishes === undefined ? because('scene_gone') : new Map(wishes);
  }
  if ('restore' in step) return restored(turn, running, step.restore.since ?? 'run');
  if (!('command' in step)) return because('device_gone');
  const scope = scopeOf(turn, running, thread);
  const set: Record<string, JsonValue> = {};
  for (const [key, evaluate] of node.operands) {
    const value = evaluate(scope, values);
    if (value === undefined) return because('value_unknown', { key });
    set[key] = value;
  }
  const wish: Wish = step.command.do === undefined ? { set } : { do: step.command.do };
  const devices = devicesOf(turn, running, { command: step.command, wish });
  return devices.length === 0 ? because('device_gone') : new Map(devices.map((device) => [device, wish]));
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

/** Asks for the values before the run, of the features that are still as the run set them. */
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

type Asking = { readonly device: DeviceId; readonly wish: Wish };

/** Refuses a sensitive wish unless the device, or its group, is named in `allow_sensitive` and the run is not late. */
function sensitiveRefusal({ home }: Turn, { state, program }: Running, { device, wish }: Asking): LeftOut | undefined {
  if (!home.isSensitive(device, wish)) return undefined;
  if (!program.definition.allow_sensitive.includes(device)) return 'SENSITIVE_NOT_NAMED';
  return state.lateMs > 0 ? 'LATE' : undefined;
}

/** A group with a member that a hand holds is asked member by member: the others are free. */
function besideHands(turn: Turn, program: Program, { device, wish }: Asking): Iterable<readonly [DeviceId, Wish]> {
  if ('do' in wish || !isAnyMemberHeld(turn, program, { device, wish })) return [[device, wish]];
  return turn.home.memberSets(device, wish.set).map(([member, set]) => [member, { set }] as const);
}

/** The wish without what must be left out; a word where nothing is left. */
function judge(turn: Turn, program: Program, { device, wish, node }: Asking & { readonly node: Node }): Wish | LeftOut {
  if ('do' in wish) {
    const isAnyHeld =
      isAnyMemberHeld(turn, program, { device, wish }) ||
      keysOf(wish).some((key) => isHeld(turn, program, { device, key }));
    return isAnyHeld ? 'hand' : wish;
  }
  const free = Object.entries(wish.set).filter(([key]) => !isHeld(turn, program, { device, key }));
  if (free.length === 0) return 'hand';
  const set = Object.fromEntries(free);
  return sendingOf(node).skip_if_same !== false && isSo(turn, device, set) ? 'unchanged' : { set };
}

function isAnyMemberHeld(turn: Turn, program: Program, { device, wish }: Asking): boolean {
  if (program.definition.yield_to_hand_s === 0) return false;
  const keys = keysOf(wish);
  return turn.home.members(device).some((member) => keys.some((key) => isHeld(turn, program, { device: member, key })));
}

/** Whether the automation must yield to a hand there. */
function isHeld(
  { engine, nowMs }: Turn,
  { definition }: Program,
  { device, key }: { readonly device: DeviceId; readonly key: string },
): boolean {
  const given = {
    nowMs,
    forMs: definition.yield_to_hand_s * 1_000,
    releasedMs: definition.release_on_mode ? engine.homeModeChangedMs : -Infinity,
  };
  // A brightness that is sent to a lamp that a hand turned off would turn it on.
  const keys = [key, key.slice(0, key.lastIndexOf('.') + 1) + 'on'];
  return keys.some((one) => heldSince(engine.hands, `${device} ${one}`, given) !== undefined);
}

/** Whether the device has reported all of it. What was only sent, or is from before a restart, is no proof. */
function isSo(turn: Turn, device: DeviceId, set: JsonObject): boolean {
  const members = turn.home.memberSets(device, set);
  // A group is on as soon as one member is.
  if (members.length > 0) return members.every(([member, own]) => isSo(turn, member, own));
  return Object.entries(set).every(([key, value]) => {
    const seen = turn.view.value(device, key);
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
