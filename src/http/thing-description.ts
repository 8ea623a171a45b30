import type { JsonObject, JsonValue } from '#base/json.ts';
import { type Device, deviceName } from '#core/device.ts';
import { isSettable } from '#core/feature-value.ts';
import type { Feature } from '#core/feature.ts';
import { timeJson } from './time-json.ts';

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

/**
 * A device as a W3C Thing Description 1.1, whose forms are this API's own calls. Reading a property gives the whole
 * device, where the value stands at `hearthd:pointer`; values are set with the action `set`, whose input is the body of
 * a command. Addresses are relative, so that nothing in it depends on where it was asked for.
 */
export function thingDescription(device: Device): JsonObject {
  const { features, firmware, selector } = device;
  const path = `/api/v1/device/${selector}`;
  const named = (kind: Feature['kind'], describe: (feature: Feature) => JsonObject): JsonObject =>
    Object.fromEntries(features.filter((one) => one.kind === kind).map((one) => [one.key, describe(one)]));
  const settable = features.filter((feature) => feature.kind === 'state' && isSettable(feature));
  return {
    '@context': CONTEXT,
    id: `urn:uuid:${device.id}`,
    title: deviceName(device),
    ...(firmware === null ? {} : { version: { instance: firmware } }),
    created: timeJson(device.createdAtMs),
    modified: timeJson(device.updatedAtMs),
    securityDefinitions: { bearer: { scheme: 'bearer', in: 'header', name: 'Authorization', format: 'jwt' } },
    security: 'bearer',
    properties: named('state', (feature) => propertyOf(feature, `/features/${features.indexOf(feature)}/value`, path)),
    actions: {
      ...named('action', (feature) => actionOf(feature, path)),
      ...(settable.length === 0 ? {} : { set: setAction(settable, path) }),
    },
    events: named('event', (feature) => eventOf(feature, selector)),
  };
}

function titlesOf({ name, description, capability }: Feature): JsonObject {
  return { title: name, ...(description === null ? {} : { description }), 'hearthd:capability': capability };
}

function propertyOf(feature: Feature, pointer: string, path: string): JsonObject {
  return {
    ...titlesOf(feature),
    ...dataSchemaOf(feature),
    readOnly: true,
    forms: [
      {
        op: 'readproperty',
        href: path,
        contentType: 'application/json',
        'htv:methodName': 'GET',
        'hearthd:pointer': pointer,
      },
    ],
  };
}

function setAction(settable: readonly Feature[], path: string): JsonObject {
  const values = Object.fromEntries(settable.map((feature) => [feature.key, dataSchemaOf(feature)]));
  return {
    title: 'Set values',
    input: objectOf({ set: { type: 'object', properties: values } }),
    idempotent: true,
    forms: [commandForm(path)],
  };
}

function actionOf(feature: Feature, path: string): JsonObject {
  const input =
    feature.valueType === 'none'
      ? objectOf({ do: { type: 'string', const: feature.key } })
      : objectOf({ set: objectOf({ [feature.key]: dataSchemaOf(feature) }) });
  return { ...titlesOf(feature), input, forms: [commandForm(path)] };
}

function commandForm(path: string): JsonObject {
  return {
    op: 'invokeaction',
    href: `${path}/command`,
    contentType: 'application/json',
    'htv:methodName': 'POST',
  };
}

function eventOf(feature: Feature, selector: string): JsonObject {
  const options = feature.options ?? [];
  const action = { type: 'string', ...(options.length === 0 ? {} : { enum: [...new Set(options)] }) };
  const occurrence = { type: 'object', properties: { action, count: { type: 'integer' }, raw: { type: 'string' } } };
  const key = { type: 'string', const: feature.key };
  return {
    ...titlesOf(feature),
    data: objectOf({ feature: objectOf({ key }), occurrence }),
    forms: [
      {
        op: 'subscribeevent',
        href: `/api/v1/event?types=feature.occurred&device=${selector}`,
        subprotocol: 'sse',
        contentType: 'text/event-stream',
        'htv:methodName': 'GET',
      },
    ],
  };
}

/** All of these members are needed. */
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
