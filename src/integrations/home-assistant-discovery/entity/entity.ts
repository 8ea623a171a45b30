import type { JsonValue } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import { numberIn } from '#core/feature/peer-value.ts';
import { UTF_8, type Encoding } from '#integrations/home-assistant-discovery/message/encoding.ts';
import { isNumber, type Value } from '#integrations/home-assistant-discovery/template/value.ts';
import type { AnnouncedEntity } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import type { Surroundings } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import type { Incoming } from './incoming.ts';

/** The word with which a publisher says that it does not know. */
export const UNKNOWN = 'None';

/** Home Assistant has these states while nobody knows one; some publishers pass them on. */
export const NO_STATE: ReadonlySet<string> = new Set([UNKNOWN, 'unknown', 'unavailable']);

export function isNoState(text: string): boolean {
  return NO_STATE.has(text);
}

/** Refuses a text that is no value of the feature; an empty text says nothing. */
export function refused(text: string | undefined): Report {
  return text === undefined || text === '' ? undefined : { refused: text };
}

/** Reads a number and lets `make` map it; an empty text says nothing. */
export function numberReport(text: string | undefined, make: (number: number) => number | undefined): Report {
  const number = text === undefined ? undefined : numberIn(text);
  const value = number === undefined ? undefined : make(number);
  return value === undefined ? refused(text) : { value };
}

/** A number in JSON, or a text that is one in every kind of integration; Python would take more. */
export function numberFrom(value: Value): number | undefined {
  if (typeof value === 'string') return numberIn(value);
  return isNumber(value) && typeof value !== 'boolean' ? numberIn(Number(value)) : undefined;
}

const WHOLE = /^\s*[+-]?\d{1,15}\s*$/;

/** A whole number, as Home Assistant wants it for steps and channels. */
export function wholeIn(text: string): number | undefined {
  return WHOLE.test(text) ? numberIn(text) : undefined;
}

/** A message says this of a feature. */
export type Report =
  | { readonly value: JsonValue }
  | { readonly occurrence: Occurrence }
  /** It is no value of the feature: what was said before stays, and the log has it. */
  | { readonly refused: string }
  /** What was said before stays. */
  | undefined;

export type Publication = {
  readonly topic: string;
  readonly payload: string | Buffer;
  readonly retain: boolean;
};

/** A feature of a device, with the way that its values come and go. */
export type Part = {
  readonly feature: Feature;
  /** Topics with what is done with their messages. */
  readonly listens: ReadonlyMap<string, (message: Incoming) => Report>;
  /** `undefined` where the value does not fit. Throws TemplateFault. */
  readonly publish?: (value: JsonValue) => Publication | undefined;
};

/** A delay changes a feature without a message: a value is too old, or a sensor that only says on is off. */
export type Delay = 'stale' | 'off';

/** By the key of their features. An action has the value `null`. */
export type Wishes = ReadonlyMap<string, JsonValue>;

/** One announced entity is this in the hub: a sensor has one part, a light several. */
export type Entity = {
  readonly parts: readonly Part[];
  /** Where a command for several parts is not the sum of theirs. `undefined` where the values do not fit together. */
  readonly publishTogether?: (wishes: Wishes, transitionMs: number | null) => readonly Publication[] | undefined;
  readonly encoding: Encoding;
  /** It stands for a message that the hub does not understand. */
  readonly isStrange?: true;
  /** What its first feature may wait for. */
  readonly delays: readonly Delay[];
};

export function entityOf(parts: readonly Part[], more: Partial<Omit<Entity, 'parts'>> = {}): Entity {
  return { parts, encoding: UTF_8, delays: [], ...more };
}

export type EntityDeps = Surroundings & {
  /** Starts a delay of the feature with this key in the place of the one before; `null` ends it. */
  readonly delay: (key: string, what: Delay, afterMs: number | null) => void;
};

/** An entity that cannot be understood stands as a feature without values that says why. */
export function strangeEntity({ component, object }: AnnouncedEntity, reason: string): Entity {
  const feature = ownFeature(slugOf(object) || slugOf(component) || 'unknown', 'main', {
    valueType: 'string',
    name: object,
    description: `Not understood (${component}): ${reason}`.slice(0, 300),
  });
  return entityOf([{ feature, listens: new Map() }], { isStrange: true });
}

/** In lower snake_case, of ASCII letters and digits; empty if it has none. */
export function slugOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 40);
}
