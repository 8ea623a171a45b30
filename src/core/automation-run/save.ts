import { isSameJson } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Step } from '#core/automation/document/step.ts';
import { forEachStep } from '#core/automation/check/check-condition.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { DeviceId } from '#core/device/device.ts';
import { armCivil, civilTimer, isCivil, mark, markKey } from './civil.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { Active, Running } from './engine.ts';
import { ownerOf } from '#core/automation-run/state/owner.ts';
import { createBreaker } from '#core/automation-run/guard/breaker.ts';
import { memoryKey, offer } from './happen.ts';
import { keysOf } from '#core/automation-run/course/order.ts';
import { nodeAt, type Resting, restingProgram } from '#core/automation-run/program/program.ts';
import { type Ending, endRun } from '#core/automation-run/course/run-end.ts';
import { stopAutomation } from '#core/automation-run/course/run-end.ts';
import { breakerKey } from '#core/automation-run/course/trip.ts';
import { isSameTrigger } from '#core/automation-run/state/trigger-memory.ts';
import { disarm, keep, type Turn } from './turn.ts';
import { armLooks, disarmLooks, type Place } from '#core/automation-run/course/watch.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

/** Takes an automation in, or its new version or state. Only what changed begins anew. */
export function saveAutomation(turn: Turn, automation: Automation): void {
  const { engine } = turn;
  const old = engine.automations.get(automation.id);
  const isSame = old !== undefined && old.automation.version === automation.version;
  const program = isSame ? old.program : restingProgram(automation);
  const active = old ?? newActive(turn, automation, program);
  const wasReady = old?.automation.state === 'ready';
  const moved = old === undefined || isSame ? [] : forgetChanged(turn, old, program);
  if (old !== undefined && !isSame) endChanged(turn, old, program);
  active.automation = automation;
  active.program = program;
  for (const place of moved) armLooks(turn, { ...place, old: {} });
  engine.automations.set(automation.id, active);
  if (!isSame) watch(turn, active);
  const { state } = automation;
  if (state !== 'ready' && !mayRun(active)) {
    stopAutomation(turn, automation.id, { outcome: 'stopped', reason: because(state) });
  }
  // Times that passed while it could not run were not missed.
  if (old !== undefined && !wasReady && automation.state === 'ready') markNow(turn, active);
  armCivil(turn, active);
}

function mayRun({ automation }: Active): boolean {
  const { state, definition } = automation;
  return state === 'ready' || (state === 'broken' && definition.on_broken === 'run_rest');
}

/** An automation that nothing watches for yet. */
export function newActive({ nowMs }: Turn, automation: Automation, program: Resting): Active {
  const { id } = automation;
  return {
    automation,
    program,
    breaker: createBreaker(nowMs),
    memories: new Map(),
    marks: new Map(),
    runs: new Set(),
    chain: [id],
  };
}

/** Puts its triggers into the index. Those without a memory take the present for known. */
export function watch(turn: Turn, active: Active): void {
  const { engine } = turn;
  const { program } = active;
  const { id } = active.automation;
  const owner = ownerOf.automation(id);
  engine.index.put(
    owner,
    program.triggers.map(({ trigger }) => trigger),
  );
  watchHands(turn, active);
  for (const [at, { trigger }] of program.triggers.entries()) {
    if (active.memories.has(trigger.id)) continue;
    offer(turn, { owner, at }, { happening: { kind: 'begin', isWait: false }, cause: null });
  }
}

/** Which features hands move counts, for automations that yield to them; other devices may fit after a change. */
export function watchHands(turn: Turn, { automation, program }: Active): void {
  turn.engine.index.put(ownerOf.hands(automation.id), handTriggers(turn, program));
}

/** The features that it commands, if it yields to hands: those that can be known before it runs. */
function handTriggers(turn: Turn, { definition }: Resting): readonly Trigger[] {
  if (definition.yield_to_hand_s === 0) return [];
  const features = new Map<string, Trigger>();
  const add = (device: DeviceId, key: string): void => {
    const id = `${device} ${key}`;
    features.set(id, { id, type: 'feature', device, key });
  };
  forEachStep(definition.steps, (step) => {
    for (const [device, key] of commanded(turn, step, definition)) add(device, key);
  });
  return [...features.values()];
}

function commanded({ home }: Turn, step: Step, definition: Definition): readonly (readonly [DeviceId, string])[] {
  if ('scene' in step) {
    return (home.sceneWishes(step.scene.scene) ?? []).flatMap(([device, wish]) =>
      keysOf(wish).map((key) => [device, key] as const),
    );
  }
  if (!('command' in step)) return [];
  const { targets, set = {}, do: action } = step.command;
  const { devices = [], group, room, any_of: anyOf } = targets;
  const all = [
    ...devices,
    ...(group === undefined ? [] : [group]),
    ...(room === undefined ? [] : home.devicesIn({ room })),
    ...(anyOf === undefined ? [] : home.devicesIn({ anyOf })),
    ...(targets.trigger === undefined ? [] : triggerDevices(definition)),
  ];
  // The values of a group are made of those of its members, also when one of them is only lost.
  const moved = all.flatMap((device) => {
    const members = home.members(device);
    return members.length === 0 ? [device] : members;
  });
  const keys = action === undefined ? Object.keys(set) : keysOf({ do: action });
  return moved.flatMap((device) => keys.map((key) => [device, key] as const));
}

function triggerDevices({ triggers }: Definition): readonly DeviceId[] {
  return triggers.flatMap((trigger) => ('device' in trigger ? [trigger.device] : []));
}

/**
 * Triggers that are gone or have another content lose their memory and timers; the others keep them. Returns those that
 * have another place now: it is in the names of their timers, which their memory asks for again.
 */
function forgetChanged(turn: Turn, active: Active, program: Resting): readonly Place[] {
  const { id } = active.automation;
  const moved: Place[] = [];
  for (const [at, { trigger }] of active.program.triggers.entries()) {
    const timer = `look/${id}`;
    const newAt = program.triggers.findIndex((one) => isSameTrigger(one.trigger, trigger));
    const memory = active.memories.get(trigger.id);
    if (isCivil(trigger) && newAt !== at) disarm(turn, civilTimer(active, at));
    if (memory === undefined || newAt === at) continue;
    disarmLooks(turn, { timer, at, memory });
    if (newAt >= 0) moved.push({ owner: ownerOf.automation(id), timer, at: newAt, memory });
    else {
      active.memories.delete(trigger.id);
      keep(turn, memoryKey(active, trigger.id), { value: null });
    }
  }
  forgetMarks(turn, active, program);
  for (const { trigger } of program.triggers) {
    const isKnown = active.program.triggers.some((one) => isSameTrigger(one.trigger, trigger));
    const { wallMs } = turn.view.now;
    if (isCivil(trigger) && !isKnown && wallMs !== undefined) mark(turn, active, { trigger: trigger.id, wallMs });
  }
  return moved;
}

/** Times that were dealt with, of ids that no time of the clock has any more. */
function forgetMarks(turn: Turn, active: Active, program: Resting): void {
  for (const id of active.marks.keys()) {
    if (program.triggers.some(({ trigger }) => trigger.id === id && isCivil(trigger))) continue;
    active.marks.delete(id);
    keep(turn, markKey(active, id), { value: null });
  }
}

/** A run keeps its version, unless the step that it waits at was changed: what it waits for is then not meant any more. */
function endChanged(turn: Turn, active: Active, { definition }: Resting): void {
  if (active.runs.size === 0) return;
  const steps = new Map<string, Step>();
  forEachStep(definition.steps, (step) => void steps.set(step.id, step));
  const isKept = (running: Running): boolean =>
    running.state.threads.every(({ frames }) => {
      const step = nodeAt(running.program, frames)?.step;
      const now = step && steps.get(step.id);
      return step === undefined || isSameJson(now ?? null, step);
    });
  for (const id of active.runs) {
    const running = turn.engine.runs.get(id);
    if (running !== undefined && !isKept(running)) endRun(turn, running, CHANGED);
  }
}
const CHANGED: Ending = { outcome: 'superseded', reason: because('step_changed') };

function markNow(turn: Turn, active: Active): void {
  const { wallMs } = turn.view.now;
  for (const { trigger } of active.program.triggers) {
    if (isCivil(trigger) && wallMs !== undefined) mark(turn, active, { trigger: trigger.id, wallMs });
  }
}

export function removeAutomation(turn: Turn, id: AutomationId): void {
  const { engine } = turn;
  const active = engine.automations.get(id);
  if (active === undefined) return;
  stopAutomation(turn, id, { outcome: 'stopped', reason: because('removed') });
  engine.index.remove(ownerOf.automation(id));
  engine.index.remove(ownerOf.hands(id));
  for (const [at, { trigger }] of active.program.triggers.entries()) {
    disarmLooks(turn, { timer: `look/${id}`, at, memory: active.memories.get(trigger.id) ?? {} });
    disarm(turn, civilTimer(active, at));
    keep(turn, memoryKey(active, trigger.id), { value: null });
    keep(turn, markKey(active, trigger.id), { value: null });
  }
  disarm(turn, breakerKey(active));
  keep(turn, breakerKey(active), { value: null });
  engine.automations.delete(id);
}
