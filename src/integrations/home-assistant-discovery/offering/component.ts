import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { AskedElsewhere } from '#integrations/ports.ts';

/** An entity of Home Assistant that stands for one or more features of a device. */
export type Component = {
  readonly platform: string;
  /** The feature that names it, in messages, topics and unique ids, for ever. */
  readonly slug: string;
  /** Without topics, and without what all components of a device have in common. */
  readonly config: JsonObject;
  /** Settings whose value is the topic of the device's state. */
  readonly stateTopics: readonly string[];
  /** What reads a command, by the setting that has its topic. */
  readonly commands: ReadonlyMap<string, ReadCommand>;
  /** What its own topic says, for a component that does not read the state of the device. */
  readonly ownState?: (device: Device) => JsonObject;
  /** The feature whose occurrences go to a topic of its own. */
  readonly eventKey?: string;
};

/** Reads what a command asks of the device; `undefined` if it says nothing that the component knows. */
export type ReadCommand = (payload: string) => AskedElsewhere | undefined;

const PLAIN_KEY = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/;

/** A name that fits into topics and ids, another one for each key. */
export function slugOf(key: string): string {
  if (PLAIN_KEY.test(key) && key.length <= 60) return key.replaceAll('.', '-');
  const hash = createHash('sha1').update(key).digest('hex').slice(0, 8);
  return `${key.replaceAll(/[^a-zA-Z0-9_]/g, '_').slice(0, 40)}-${hash}`;
}

/** The value of a feature in the state of the device. */
function valueOf({ key }: Feature): string {
  return `value_json['${slugOf(key)}']`;
}

export function valueTemplate(feature: Feature): string {
  return `{{ ${valueOf(feature)} }}`;
}

/** Renders the word that stands for the value, and `None`, which means unknown, for any other. */
export function wordTemplate(
  feature: Feature,
  words: readonly (readonly [value: string | boolean, word: string])[],
): string {
  const tests = words.map(([value, word]) => `'${word}' if ${valueOf(feature)} == ${literal(value)}`);
  return `{{ ${tests.join(' else ')} else None }}`;
}

function literal(value: string | boolean): string {
  return typeof value === 'string' ? `'${value.replaceAll(/[\\']/g, String.raw`\$&`)}'` : String(value);
}

/** A main function of the device has its name alone. */
export function nameOf({ component, name }: Feature): string | null {
  return component === 'main' ? null : name;
}

/** Reads the payload of a topic that sets one feature. */
export function setting({ key }: Feature, read: (payload: string) => JsonValue | undefined): ReadCommand {
  return (payload) => {
    const value = read(payload);
    return value === undefined ? undefined : { set: { [key]: value } };
  };
}

const NUMBER = /^-?\d{1,15}(\.\d{1,15})?$/;

export function numberFrom(payload: string): number | undefined {
  return NUMBER.test(payload) ? Number(payload) : undefined;
}

/** Reads one of these words. */
export function oneOf<Value extends JsonValue>(words: Readonly<Record<string, Value>>) {
  return (payload: string): Value | undefined => (Object.hasOwn(words, payload) ? words[payload] : undefined);
}

export const SWITCHED = oneOf({ ON: true, OFF: false });

export function optionOf({ options }: Feature) {
  return (payload: string): string | undefined => (options?.includes(payload) === true ? payload : undefined);
}
