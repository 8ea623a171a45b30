import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { Condition } from '#core/automation/document/condition.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { DeviceId } from '#core/device/device.ts';

/** Words of conditions and operands whose answer may change by time alone, or by what no trigger watches. */
const TIMED: ReadonlySet<string> = new Set(['time', 'sun', 'history', 'changed', 'scene', 'run', 'for_s']);

/**
 * When to look at a condition again: triggers that the index finds at each change of something in it. Whether they
 * would fire does not matter.
 */
export function watchedBy(condition: Condition): readonly Trigger[] {
  const found = new Map<string, Trigger>();
  visit(condition, (word, body) => {
    for (const trigger of triggersOf(word, body)) {
      const { id: _, ...watched } = trigger;
      const name = JSON.stringify(watched);
      found.set(name, { ...trigger, id: name });
    }
  });
  return [...found.values()];
}

/** Whether the condition has to be looked at from time to time, though nothing happens. */
export function needsClock(condition: Condition): boolean {
  let isTimed = false;
  visit(condition, (word) => {
    isTimed ||= TIMED.has(word);
  });
  return isTimed;
}

/** A word that is also the name of a member elsewhere only leads to a look too many. */
function visit(node: JsonValue | object, see: (word: string, body: JsonValue) => void): void {
  if (Array.isArray(node)) {
    for (const one of node) visit(one as JsonValue, see);
  } else if (isJsonObject(node)) {
    for (const [word, body] of Object.entries(node)) {
      see(word, body);
      if (typeof body === 'object' && body !== null) visit(body, see);
    }
  }
}

function triggersOf(word: string, body: JsonValue): readonly Trigger[] {
  const id = '';
  if (word === 'mode' && isJsonObject(body)) return Object.keys(body).map((mode) => ({ id, type: 'mode', mode }));
  if (word === 'variable') {
    const variable = isJsonObject(body) ? body['variable'] : body;
    return typeof variable === 'string' ? [{ id, type: 'variable', variable }] : [];
  }
  if (!isJsonObject(body)) return [];
  const { device, key, person } = body;
  if (word === 'presence' && typeof person === 'string') {
    return [
      { id, type: 'presence', person, to: 'home' },
      { id, type: 'presence', person, to: 'away' },
    ];
  }
  if (typeof device !== 'string') return [];
  const online: Trigger = { id, type: 'availability', device: device as DeviceId, to: 'online' };
  if (word === 'availability') return [online];
  if (typeof key !== 'string') return [];
  return [{ id, type: 'feature', device: device as DeviceId, key }, online];
}
