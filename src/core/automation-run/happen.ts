import { isSameJson } from '#base/json.ts';
import type { Happening, Slot, TriggerMemory } from '#core/automation/trigger/happening.ts';
import { seenAt } from '#core/automation/trigger/feature-match.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import { nodeAt } from '#core/automation-run/program/program.ts';
import type { TriggerFacts } from '#core/automation/view.ts';
import type { Cause } from '#core/cause/cause.ts';
import { moverOf } from '#core/automation/condition/sight.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Active, Running } from './engine.ts';
import { type Owner, ownerOf } from '#core/automation-run/state/owner.ts';
import { noteMove } from '#core/automation-run/guard/hands.ts';
import { endWatch, settleCommand } from '#core/automation-run/course/resume.ts';
import { idleReason, start } from './start.ts';
import type { Thread } from '#core/automation-run/state/run-state.ts';
import { encodeMemory } from '#core/automation-run/state/trigger-memory.ts';
import { keep, LONG_MS, type Turn } from './turn.ts';
import { offerToThread } from '#core/automation-run/course/wait.ts';
import { look } from '#core/automation-run/course/watch.ts';

/** Work that may be put off at each `yield`, for any time in which nothing else is done with its engine. */
export type Pieces<Result = void> = Generator<undefined, Result, undefined>;

/** Offers something that happened to all who watch it: hands, then runs that wait, then automations by their id. */
export function happen(turn: Turn, happening: Happening, cause: Cause | null): Pieces {
  return offerTo(turn, turn.engine.index.find(happening), { happening, cause });
}

type Place = { readonly owner: Owner; readonly at: number };
type Offered = { readonly happening: Happening; readonly cause: Cause | null };
type Watchers = ReturnType<Turn['engine']['index']['find']>;

/** The same, for those that the index has found. */
export function* offerTo(turn: Turn, watchers: Watchers, offered: Offered): Pieces {
  if (watchers.length === 0) return;
  const [first] = watchers;
  if (watchers.length === 1 && first !== undefined) {
    offer(turn, { owner: first.owner, at: placeOf(turn, first.owner, first.trigger) }, offered);
    return;
  }
  const places = watchers.map(({ owner, trigger }) => ({ owner, at: placeOf(turn, owner, trigger) }));
  places.sort((left, right) => (left.owner < right.owner ? -1 : left.owner > right.owner ? 1 : left.at - right.at));
  const yielding = places.filter(({ owner }) => isHands(owner));
  // A hand moves a feature once, however many automations yield to it.
  if (yielding.length > 0) noteHand(turn, offered.happening, yielding);
  let over: Owner | undefined;
  for (const { owner, at } of places.slice(yielding.length)) {
    // Where it ended a wait, the thread stands at another step, and what happened before is not offered to that.
    if (owner !== over && offer(turn, { owner, at }, offered) === 'over') over = owner;
    yield;
  }
}

/** Offers it to one watcher. A `look` and a `time` are for one only. `over`: a wait ended by it. */
export function offer(turn: Turn, { owner, at }: Place, { happening, cause }: Offered): 'over' | 'taken' {
  if (isHands(owner)) {
    noteHand(turn, happening, [{ owner }]);
    return 'taken';
  }
  const waiting = threadOf(turn, owner);
  if (waiting !== undefined) return offerToRun(turn, waiting, { at, happening, cause });
  const active = activeOfOwner(turn, owner);
  if (active !== undefined) offerToAutomation(turn, active, { at, happening, cause });
  return 'taken';
}

/** The owner of hands, or of an automation, ends with the id of the automation. */
function automationOf(owner: Owner): AutomationId {
  return owner.slice(2) as AutomationId;
}

function isHands(owner: Owner): boolean {
  return owner.startsWith('0/');
}

/** The place of a trigger among those of its owner. */
function placeOf(turn: Turn, owner: Owner, trigger: Trigger): number {
  if (isHands(owner)) return 0;
  const waiting = threadOf(turn, owner);
  const node = waiting && nodeAt(waiting.running.program, waiting.thread.frames);
  const triggers = node?.triggers ?? activeOfOwner(turn, owner)?.program.triggers ?? [];
  return triggers.findIndex((one) => one.trigger === trigger);
}

function threadOf({ engine }: Turn, owner: Owner): { readonly running: Running; readonly thread: Thread } | undefined {
  if (!owner.startsWith('1/')) return undefined;
  const [, run = '', id] = owner.split('/');
  const running = engine.runs.get(run);
  const thread = running?.state.threads.find((one) => one.id === Number(id));
  return running === undefined || thread === undefined ? undefined : { running, thread };
}

export function activeOfOwner({ engine }: Turn, owner: Owner): Active | undefined {
  return owner.startsWith('2/') ? engine.automations.get(automationOf(owner)) : undefined;
}

type Waiting = { readonly running: Running; readonly thread: Thread };

function offerToRun(
  turn: Turn,
  { running, thread }: Waiting,
  { at, happening, cause }: Offered & { readonly at: number },
): 'over' | 'taken' {
  if (thread.wait?.kind === 'command') {
    const { ref } = thread.wait;
    settleCommand(turn, running, { thread, isLast: false });
    return thread.wait?.kind === 'command' && thread.wait.ref === ref ? 'taken' : 'over';
  }
  const dueMs = happening.kind === 'look' ? lookedAtMs(thread, at, happening.slot) : turn.nowMs;
  if (offerToThread(turn, running, { thread, at, happening, cause }) === 'waits') return 'taken';
  const lateMs = happening.kind === 'time' ? happening.lateMs : Math.max(0, turn.nowMs - dueMs);
  endWatch(turn, running, { thread, lateMs });
  return 'over';
}

/** When the slot should have been looked at: later than that after a restart. */
function lookedAtMs({ wait }: Thread, at: number, slot: string): number {
  const memory = wait?.kind === 'watch' ? wait.memories[at] : undefined;
  // A wait that counts the time before it began is not late for that.
  return Math.max(memory?.[slot]?.lookAtMs ?? Infinity, wait?.kind === 'watch' ? wait.sinceMs : 0);
}

function offerToAutomation(
  turn: Turn,
  active: Active,
  { at, happening, cause }: Offered & { readonly at: number },
): void {
  const compiled = active.program.triggers[at];
  if (compiled === undefined) return;
  const { id } = compiled.trigger;
  const automation = active.automation.id;
  const owner = ownerOf.automation(automation);
  const memory = active.memories.get(id) ?? {};
  const verdict = look(turn, compiled, { owner, timer: `look/${automation}`, at, memory, happening });
  if (verdict.memory !== memory) remember(turn, active, { trigger: compiled.trigger, memory: verdict.memory });
  const { fired, nearMiss } = verdict;
  if (nearMiss !== null) {
    const { trigger, device, key, reason } = nearMiss;
    turn.effects.push({ kind: 'near_miss', miss: { trigger, device, key, reason, automation, atMs: turn.nowMs } });
  }
  if (fired === null) return;
  const idle = idleReason(active, `/triggers/${active.program.definition.triggers.indexOf(compiled.trigger)}`);
  if (idle === undefined) start(turn, active, withFacts(turn, fired, { happening, memory, cause }));
  else {
    const { device, key } = fired;
    turn.effects.push({
      kind: 'near_miss',
      miss: { automation, trigger: id, device, key, reason: idle, atMs: turn.nowMs },
    });
  }
}

/** The cause that the happening itself does not carry, and how late a look came. */
function withFacts(
  turn: Turn,
  facts: TriggerFacts,
  { happening, memory, cause }: Offered & { readonly memory: TriggerMemory },
): TriggerFacts {
  if (happening.kind === 'look') {
    const lateMs = turn.nowMs - (memory[happening.slot]?.lookAtMs ?? turn.nowMs);
    return { ...facts, lateMs: Math.max(facts.lateMs, lateMs) };
  }
  return facts.cause === null && happening.kind !== 'value' ? { ...facts, cause } : facts;
}

export function memoryKey(active: Active, trigger: string): string {
  return `trigger/${active.automation.id}/${trigger}`;
}

function remember(
  turn: Turn,
  active: Active,
  { trigger, memory }: { readonly trigger: Trigger; readonly memory: TriggerMemory },
): void {
  active.memories.set(trigger.id, memory);
  const slots = Object.entries(memory).flatMap(([name, slot]): [string, Slot][] =>
    slot.held === null && slot.armed === null && slot.firedAtMs === null ? [] : [[name, { ...slot, points: [] }]],
  );
  const key = memoryKey(active, trigger.id);
  // A slope begins anew after a restart: its values would be written at each change.
  if (slots.length === 0) keep(turn, key, { value: null });
  else {
    const isLong = slots.some(([, { lookAtMs }]) => lookAtMs !== null && lookAtMs - turn.nowMs >= LONG_MS);
    keep(turn, key, { value: encodeMemory(trigger, Object.fromEntries(slots)), isLong });
  }
}

type Yielding = readonly Pick<Place, 'owner'>[];

function longestYieldMs({ engine }: Turn, yielding: Yielding): number {
  const seconds = yielding.map(({ owner }) => engine.automations.get(automationOf(owner))?.program.definition);
  return Math.max(0, ...seconds.map((definition) => definition?.yield_to_hand_s ?? 0)) * 1_000;
}

/** A report of a feature that automations yield to a hand. */
function noteHand(turn: Turn, happening: Happening, yielding: Yielding): void {
  if (happening.kind !== 'value') return;
  const { device, key, from } = happening;
  const seen = seenAt(happening, turn.view);
  if (seen?.quality !== 'confirmed' || (from !== undefined && isSameJson(from, seen.value))) return;
  if (moverOf(key, seen.cause) === 'other') return;
  const feature = `${device} ${key}`;
  const { hands } = turn.engine;
  const move = { from: from ?? null, value: seen.value, cause: seen.cause, atMs: turn.nowMs };
  noteMove(hands, feature, { ...move, longestMs: longestYieldMs(turn, yielding) });
  const hand = hands.get(feature);
  keep(turn, `hand/${feature}`, { value: hand === undefined ? null : { ...hand } });
}
