import type { JsonObject, JsonValue } from '#base/json.ts';
import { type Device, deviceName } from '#core/device/device.ts';
import { actionsOf } from '#core/command/command-request.ts';
import { isSettable } from '#core/feature/feature-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import { timeJson } from '#http/answer/time-json.ts';

const COLOR: JsonObject = {
  type: 'object',
  oneOf: [
    objectOf({ x: { type: 'number', minimum: 0, maximum: 1 }, y: { type: 'number', minimum: 0, maximum: 1 } }),
    objectOf({
      hue: { type: 'number', minimum: 0, maximum: 360 },
      saturation: { type: 'number', minimum: 0, maximum: 100 },
    }),
  ],
};

const CONTEXT = ['https://www.w3.org/2022/wot/td/v1.1', { hearthd: 'urn:hearthd:td#' }];
/** Longer than a change usually takes, shorter than the time after which a network closes an idle connection. */
const OBSERVE_S = 30;
const COMMAND: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    status: { type: 'string' },
    evidence: { type: 'string' },
    results: { type: 'array', items: { type: 'object' } },
  },
};

/**
 * A device as a W3C Thing Description 1.1. Its forms are calls of this API: each feature is a resource with a bare value,
 * which clients read, write and observe by long poll. `base` is the address that the client used, such as
 * `http://hearthd.local`; all other addresses are relative.
 */
export function thingDescription(device: Device, base: string): JsonObject {
  const { features, firmware, selector } = device;
  const path = `/api/v1/device/${selector}`;
  const named = (kind: Feature['kind'], describe: (feature: Feature, path: string) => JsonObject): JsonObject =>
    Object.fromEntries(features.filter((one) => one.kind === kind).map((one) => [one.key, describe(one, path)]));
  const settable = features.filter((feature) => feature.kind === 'state' && isSettable(feature));
  const toggles = actionsOf(device).filter((key) => !features.some((one) => one.key === key));
  return {
    '@context': CONTEXT,
    id: `urn:uuid:${device.id}`,
    title: deviceName(device),
    base,
    ...(firmware === null ? {} : { version: { instance: firmware } }),
    created: timeJson(device.createdAtMs),
    modified: timeJson(device.updatedAtMs),
    securityDefinitions: { bearer: { scheme: 'bearer', in: 'header', name: 'Authorization', format: 'jwt' } },
    security: 'bearer',
    properties: named('state', propertyOf),
    actions: {
      ...named('action', actionOf),
      ...Object.fromEntries(toggles.map((key) => [key, toggleAction(key, path)])),
      ...(settable.length === 0 ? {} : { set: setAction(settable, path) }),
    },
    events: named('event', eventOf),
  };
}

function titlesOf({ name, description, capability }: Feature): JsonObject {
  return { title: name, ...(description === null ? {} : { description }), 'hearthd:capability': capability };
}

function propertyOf(feature: Feature, path: string): JsonObject {
  const href = hrefOf(feature, path);
  const isWritable = isSettable(feature);
  const form = { contentType: 'application/json' };
  return {
    ...titlesOf(feature),
    ...optional('unit', feature.unit),
    // An unknown value is null.
    oneOf: [dataSchemaOf(feature), { type: 'null' }],
    readOnly: !isWritable,
    observable: true,
    forms: [
      { ...form, op: 'readproperty', href, 'htv:methodName': 'GET' },
      ...(isWritable ? [{ ...form, op: 'writeproperty', href, 'htv:methodName': 'PUT' }] : []),
      { ...form, ...observeForm(href, ['observeproperty', 'unobserveproperty']) },
    ],
  };
}

function hrefOf({ key }: Feature, path: string): string {
  return `${path}/feature/${encodeURIComponent(key)}`;
}

/** Names no method: a consumer asks by HEAD whether it may observe, before it polls by GET. */
function observeForm(href: string, op: readonly string[]): JsonObject {
  return { op: [...op], href: `${href}?wait=${OBSERVE_S}`, subprotocol: 'longpoll' };
}

function setAction(settable: readonly Feature[], path: string): JsonObject {
  const values = Object.fromEntries(settable.map((feature) => [feature.key, dataSchemaOf(feature)]));
  return {
    title: 'Set values',
    input: objectOf({ set: { type: 'object', properties: values } }),
    output: COMMAND,
    idempotent: true,
    forms: [commandForm(path)],
  };
}

function actionOf(feature: Feature, path: string): JsonObject {
  const input =
    feature.valueType === 'none'
      ? objectOf({ do: { type: 'string', const: feature.key } })
      : objectOf({ set: objectOf({ [feature.key]: dataSchemaOf(feature) }) });
  return { ...titlesOf(feature), input, output: COMMAND, forms: [commandForm(path)] };
}

/** No feature: every switch takes it. */
function toggleAction(key: string, path: string): JsonObject {
  const input = objectOf({ do: { type: 'string', const: key } });
  return { title: 'Toggle', input, output: COMMAND, forms: [commandForm(path)] };
}

function commandForm(path: string): JsonObject {
  return {
    op: 'invokeaction',
    href: `${path}/command`,
    contentType: 'application/json',
    'htv:methodName': 'POST',
  };
}

function eventOf(feature: Feature, path: string): JsonObject {
  const options = feature.options ?? [];
  const action = { type: 'string', ...(options.length === 0 ? {} : { enum: [...new Set(options)] }) };
  const occurrence = { type: 'object', properties: { action, count: { type: 'integer' }, raw: { type: 'string' } } };
  return {
    ...titlesOf(feature),
    // Null: the wait of the long poll ended without an occurrence.
    data: { oneOf: [occurrence, { type: 'null' }] },
    forms: [
      {
        contentType: 'application/json',
        ...observeForm(hrefOf(feature, path), ['subscribeevent', 'unsubscribeevent']),
      },
    ],
  };
}

function objectOf(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function dataSchemaOf(feature: Feature): JsonObject {
  const { options, unit, min, max, schema } = feature;
  const own = schema ?? {};
  const limits = { ...optional('unit', unit), ...optional('minimum', min), ...optional('maximum', max) };
  const members = options === null || options.length === 0 ? {} : { enum: [...new Set(options)] };
  const schemas: Record<Feature['valueType'], JsonObject> = {
    boolean: { type: 'boolean' },
    number: { type: 'number', ...limits },
    enum: { type: 'string', ...members },
    timestamp: { type: 'string', format: 'date-time' },
    color: COLOR,
    string: { ...own, type: 'string' },
    object: { ...own, type: 'object' },
    list: { ...own, type: 'array' },
    any: own,
    none: own,
  };
  return schemas[feature.valueType];
}

function optional(keyword: string, value: JsonValue): JsonObject {
  return value === null ? {} : { [keyword]: value };
}
