import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { RunState } from './run-state.ts';

/** Grows with each change of the form; runs in another form end as abandoned. */
const FORM = 1;

/** An absent member stands for this value. */
const USUAL: Readonly<Record<string, JsonValue>> = {
  isQueued: false,
  lateMs: 0,
  variables: {},
  timedOut: {},
  nextThread: 1,
  nextCommand: 0,
  moved: [],
  lines: 0,
};
const USUAL_FACTS: Readonly<Record<string, JsonValue>> = {
  device: null,
  key: null,
  from: null,
  value: null,
  quality: null,
  action: null,
  lateMs: 0,
  cause: null,
  body: null,
};
const USUAL_CAUSE: JsonObject = { ...DIRECT };
const USUAL_THREAD: Readonly<Record<string, JsonValue>> = { parent: null, base: 1, wait: null };
const USUAL_FRAME: Readonly<Record<string, JsonValue>> = { body: 0, index: 0, round: 0, rounds: 0, items: null };

/** The short form in which a run is written: without what is as usual. */
export function encodeRun(run: RunState): JsonObject {
  return {
    form: FORM,
    ...without(run, USUAL),
    trigger: withoutCause(without(run.trigger, USUAL_FACTS)),
    cause: without(run.cause, USUAL_CAUSE),
    threads: run.threads.map((thread) => ({
      ...without(thread, USUAL_THREAD),
      frames: thread.frames.map((frame) => without(frame, USUAL_FRAME)),
    })),
  };
}

/** `undefined` for what is not a run in this form. Whether its steps exist, the automation decides. */
export function decodeRun(saved: JsonValue): RunState | undefined {
  if (!isJsonObject(saved) || saved['form'] !== FORM) return undefined;
  const { form: _, trigger, cause, threads, ...plain } = saved;
  const hasNames = [plain['id'], plain['automation']].every((name) => typeof name === 'string');
  if (!hasNames || typeof plain['version'] !== 'number' || typeof plain['startedAtMs'] !== 'number') return undefined;
  if (!isJsonObject(trigger) || !isJsonObject(cause) || !Array.isArray(threads)) return undefined;
  const whole = {
    ...USUAL,
    ...plain,
    trigger: { ...USUAL_FACTS, ...trigger, ...withCause(trigger['cause']) },
    cause: { ...USUAL_CAUSE, ...cause },
    threads: (threads as readonly JsonValue[]).filter(isJsonObject).map((thread) => ({
      ...USUAL_THREAD,
      ...thread,
      frames: listOf(thread['frames']).map((frame) => ({ ...USUAL_FRAME, ...frame })),
    })),
  };
  // The journal has checksums, and only `encodeRun` writes this form: its members need no second look. A copy, because
  // a run is changed in its place.
  return structuredClone(whole) as unknown as RunState;
}

function without(object: object, usual: Readonly<Record<string, JsonValue>>): JsonObject {
  const kept: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    const value = (object as JsonObject)[name] as JsonValue;
    if (!Object.hasOwn(usual, name) || !isUsual(value, usual[name])) kept[name] = value;
  }
  return kept;
}

/** Compares with a plain value, or an empty list or object only: runs are encoded at each of their steps. */
function isUsual(value: JsonValue, usual: JsonValue | undefined): boolean {
  if (typeof usual !== 'object' || usual === null) return value === usual;
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(usual)) return false;
  return Object.keys(value).length === 0;
}

/** A cause that is absent was a hand. */
function withoutCause(facts: JsonObject): JsonObject {
  const { cause } = facts;
  return isJsonObject(cause) ? { ...facts, cause: without(cause, USUAL_CAUSE) } : facts;
}

function withCause(cause: JsonValue | undefined): JsonObject {
  return isJsonObject(cause) ? { cause: { ...USUAL_CAUSE, ...cause } } : {};
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];
}
