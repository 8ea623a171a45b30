import type { Automation } from '#web/client/api.ts';
import { isList, isObject, type Json, type JsonObject } from '#web/rule/sentence/json.ts';

/** An automation that is being edited. */
export type RuleDraft = {
  readonly name: string;
  readonly description: string;
  /** Selector. */
  readonly room: string | null;
  readonly definition: JsonObject;
};

export const EMPTY_DRAFT: RuleDraft = {
  name: '',
  description: '',
  room: null,
  definition: { triggers: [], conditions: [], steps: [] },
};

/**
 * These members of an automation are its definition. The forms know the same, but are loaded with the sentence only.
 */
export const DEFINED = [
  'mode',
  'yield_to_hand_s',
  'release_on_mode',
  'durable',
  'on_broken',
  'limits',
  'allow_sensitive',
  'variables',
  'triggers',
  'conditions',
  'steps',
];

/** `isKnown`: whether the home has something with this selector. */
export function draftFrom(automation: Automation, isKnown: (selector: string) => boolean): RuleDraft {
  const { name, description, room } = automation;
  const given = automation as unknown as JsonObject;
  const definition = Object.fromEntries(
    DEFINED.flatMap((member) => {
      const value = given[member];
      return value === undefined ? [] : [[member, shortened(value, isKnown)]];
    }),
  );
  return { name, description, room: room?.selector ?? null, definition };
}

/** Whether both are the same to edit: a switch or a signature makes a new revision of the same. */
export function isSameToEdit(one: Automation, other: Automation): boolean {
  const said = ({ version, name, description, room }: Automation): string =>
    JSON.stringify([version, name, description, room?.selector]);
  return said(one) === said(other);
}

/** Makes the body for the hub. All that a definition has goes with it, also what this page does not know. */
export function bodyOf({ name, description, room, definition }: RuleDraft): JsonObject {
  return { ...definition, name: name.trim(), description, room };
}

/** References by their selector, as people write them. One that the home does not know stays as it was shown. */
export function shortened(value: Json, isKnown: (selector: string) => boolean): Json {
  if (isList(value)) return value.map((one) => shortened(one, isKnown));
  if (!isObject(value)) return value;
  const { selector, id, name, ...others } = value;
  if (typeof selector === 'string' && typeof id === 'string' && name !== undefined) {
    return Object.keys(others).length === 0 && isKnown(selector) ? selector : value;
  }
  return Object.fromEntries(Object.entries(value).map(([member, one]) => [member, shortened(one, isKnown)]));
}

/** Whether there is enough of it for the hub to look at. */
export function isBegun({ definition }: RuleDraft): boolean {
  const { triggers, steps } = definition;
  return isList(triggers) && triggers.length > 0 && isList(steps) && steps.length > 0;
}
