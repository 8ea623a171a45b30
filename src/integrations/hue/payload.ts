import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { Occurrence } from '#core/feature/feature.ts';
import { type OnRefused, readFeature } from '#core/feature/peer-value.ts';
import type { Sent } from '#integrations/peer/source.ts';
import type { KnownDevice, Service } from '#integrations/hue/resources/device.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';

/** One request to the bridge, with the features that it is for. */
export type Put = {
  readonly resourceType: string;
  readonly resourceId: string;
  readonly body: JsonObject;
  readonly keys: readonly string[];
};

/** The requests of a command that fits the device, one for each of its resources that are concerned. */
export function putsFromCommand({ set, action, transitionMs }: DeviceCommand, { byKey }: KnownDevice) {
  const puts = new Map<string, { resourceType: string; resourceId: string; body: JsonObject; keys: string[] }>();
  const sent = new Map<string, Sent>();
  for (const [key, value] of [...set, ...(action === null ? [] : [[action, null] as const])]) {
    const source = byKey.get(key);
    if (source?.write === undefined) continue;
    const { body, echo } = source.write(value);
    const { resourceId, resourceType } = source;
    const put = puts.get(resourceId) ?? { resourceType, resourceId, body: {}, keys: [] };
    // What a person says of the switch itself counts more than that a brightness turns a lamp on.
    put.body = key === action || source.member === 'on' ? { ...put.body, ...body } : { ...body, ...put.body };
    put.keys.push(key);
    puts.set(resourceId, put);
    sent.set(key, { value, echo });
  }
  const all = [...puts.values()].map((put): Put => {
    if (put.resourceType !== 'light' || transitionMs === null) return put;
    return { ...put, body: { ...put.body, dynamics: { duration: transitionMs } } };
  });
  return { puts: all, sent };
}

export type Report = {
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly happenings: readonly { readonly key: string; readonly occurrence: Occurrence; readonly updated: string }[];
};

/**
 * Reads a resource, or the part of it that an update names. A value that comes back as it was sent is the requested
 * value: 2700 K is sent as 370 mired, which by itself would read as 2703 K, and a color that the lamp cannot show is
 * sent as the nearest one that it can.
 */
export function reportFromResource(
  resource: Resource,
  { sources }: Service,
  last: {
    readonly sent: ReadonlyMap<string, Sent> | undefined;
    readonly values: ReadonlyMap<string, JsonValue> | undefined;
    readonly onRefused?: OnRefused;
  },
): Report {
  const values = new Map<string, JsonValue>();
  const happenings: { key: string; occurrence: Occurrence; updated: string }[] = [];
  for (const { feature, member, read, readHappening } of sources) {
    const found = resource[member];
    if (found === undefined) continue;
    const { key } = feature;
    const happening = readHappening?.(found);
    if (happening !== undefined) happenings.push({ key, ...happening });
    const value = read === undefined ? undefined : readFeature(feature, () => read(found), last.onRefused);
    if (value === undefined) continue;
    const sent = last.sent?.get(key);
    if (sent !== undefined && isEcho(sent.echo, value)) values.set(key, sent.value);
    else values.set(key, wholeValue(value, last.values?.get(key)));
  }
  return { values, happenings };
}

/** An update may have only the changed members of an object; the others are as they were. */
function wholeValue(value: JsonValue, before: JsonValue | undefined): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(before)) return value;
  const whole = { ...before, ...value };
  return Object.keys(whole).length > MAX_MEMBERS ? value : whole;
}

const MAX_MEMBERS = 50;
/** The bridge keeps brightness in 254 steps, mireds whole and colors in 16 bits. */
const ECHO_TOLERANCE = 0.4;
const COLOR_TOLERANCE = 0.002;

function isEcho(echo: JsonValue, value: JsonValue): boolean {
  if (typeof echo === 'number' && typeof value === 'number') return Math.abs(echo - value) <= ECHO_TOLERANCE;
  if (!isJsonObject(echo) || !isJsonObject(value)) return isSameJson(echo, value);
  const { x, y } = echo;
  if (typeof x !== 'number' || typeof y !== 'number') return isSameJson(echo, value);
  const near = (left: number, right: JsonValue | undefined): boolean =>
    typeof right === 'number' && Math.abs(left - right) <= COLOR_TOLERANCE;
  return near(x, value['x']) && near(y, value['y']);
}
