import { isJsonObject, type JsonObject, type JsonValue, parseJson, listOf, numberOf, objectOf } from '#base/json.ts';
import { readName } from '#core/integration/read-name.ts';

/*
 * What a Z-Wave JS server sends, as checked values. A node's values are named by command class, endpoint, property and
 * key; all that is known about one comes with it as metadata.
 */

export type Frame =
  | { readonly type: 'version'; readonly homeId: number; readonly minSchema: number; readonly maxSchema: number }
  | { readonly type: 'result'; readonly id: string; readonly result: JsonObject }
  | { readonly type: 'refusal'; readonly id: string; readonly code: string }
  | { readonly type: 'event'; readonly event: JsonObject };

/** `undefined` for what no such server sends. */
export function readFrame(text: string): Frame | undefined {
  return frameFrom(parseJson(text));
}

/** The same from what is parsed already. */
export function frameFrom(frame: JsonValue | undefined): Frame | undefined {
  if (!isJsonObject(frame)) return undefined;
  const { type, messageId: id } = frame;
  if (type === 'event') return isJsonObject(frame['event']) ? { type, event: frame['event'] } : undefined;
  if (type === 'result' && typeof id === 'string') {
    if (frame['success'] === true) return { type, id, result: objectOf(frame['result']) };
    const code = readName(frame['zwaveErrorCodeName'], 60) ?? readName(frame['errorCode'], 60) ?? 'unknown';
    return { type: 'refusal', id, code };
  }
  if (type !== 'version') return undefined;
  const [homeId, minSchema, maxSchema] = ['homeId', 'minSchemaVersion', 'maxSchemaVersion'].map((name) =>
    wholeOf(frame[name]),
  );
  if (homeId === undefined || minSchema === undefined || maxSchema === undefined) return undefined;
  return { type, homeId, minSchema, maxSchema };
}

export type Property = string | number;
export type ValueId = {
  readonly commandClass: number;
  readonly endpoint: number;
  readonly property: Property;
  readonly propertyKey?: Property;
};

type Metadata = {
  readonly type: string;
  readonly label: string | null;
  readonly description: string | null;
  readonly readable: boolean;
  readonly writeable: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly unit: string | null;
  /** The label of each value that has one, by the value as text. */
  readonly states: ReadonlyMap<string, string>;
  /** What the command class itself says: the type of a sensor, the scale of a meter. */
  readonly specific: JsonObject;
  /** False for what happens and leaves no value. */
  readonly isStateful: boolean;
  /** Values that are not in the list are taken, too. */
  readonly takesOthers: boolean;
  readonly canFade: boolean;
};

export type NodeValue = {
  readonly id: ValueId;
  readonly key: string;
  readonly ccName: string;
  /** What people call the property and its key. */
  readonly propertyName: string;
  readonly keyName: string | null;
  readonly metadata: Metadata;
  /** `undefined` while nobody knows it. */
  readonly value: JsonValue | undefined;
};

export type DeviceClass = { readonly generic: number; readonly specific: number };

export type NodeState = {
  readonly nodeId: number;
  readonly status: number;
  readonly isReady: boolean;
  readonly stage: string;
  readonly name: string | null;
  readonly location: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly title: string | null;
  readonly firmware: string | null;
  /** Maker, type and number of the product; `null` as long as the node has not said. */
  readonly product: string | null;
  readonly canSleep: boolean;
  readonly lastSeenMs: number | null;
  readonly classes: ReadonlyMap<number, DeviceClass>;
  readonly commandClasses: ReadonlySet<number>;
  readonly values: readonly NodeValue[];
};

const MAX_NODES = 4_096;
/** The largest real ones have some 400; those of a lock with all its user codes some 600. */
const MAX_VALUES = 1_200;
const MAX_STATES = 256;
const MAX_ENDPOINTS = 256;

/** The nodes of a network without the controller, which is no device of the home. */
export function readNodes(state: JsonValue | undefined): readonly JsonObject[] | undefined {
  const { nodes, controller } = objectOf(state);
  if (!Array.isArray(nodes) || !isJsonObject(controller)) return undefined;
  const own = controller['ownNodeId'];
  return (nodes as readonly JsonValue[])
    .slice(0, MAX_NODES)
    .filter(isJsonObject)
    .filter(({ nodeId, isControllerNode }) => nodeId !== own && isControllerNode !== true);
}

/** `undefined` if it has no id. */
export function readNode(node: JsonObject): NodeState | undefined {
  const nodeId = nodeIdOf(node['nodeId']);
  if (nodeId === undefined || node['isControllerNode'] === true) return undefined;
  const config = objectOf(node['deviceConfig']);
  const product = [node['manufacturerId'], node['productType'], node['productId']].map(wholeOf);
  const endpoints = listOf(node['endpoints']).slice(0, MAX_ENDPOINTS).map(objectOf);
  const seenMs = typeof node['lastSeen'] === 'string' ? Date.parse(node['lastSeen'].slice(0, 40)) : Number.NaN;
  return {
    nodeId,
    status: wholeOf(node['status']) ?? 0,
    isReady: node['ready'] === true,
    stage: readName(node['interviewStage'], 40) ?? 'None',
    name: readName(node['name']),
    location: readName(node['location']),
    manufacturer: readName(config['manufacturer']) ?? readName(node['manufacturer']),
    model: readName(config['label']) ?? readName(node['label']),
    title: readName(config['description']),
    firmware: readName(node['firmwareVersion'], 40),
    product: product.some((one) => one === undefined) ? null : product.map(hexOf).join('-'),
    canSleep: node['canSleep'] === true || (node['isListening'] === false && node['isFrequentListening'] === false),
    lastSeenMs: Number.isFinite(seenMs) ? seenMs : null,
    classes: new Map(endpoints.map((one) => [wholeOf(one['index']) ?? 0, readClass(one['deviceClass'])])).set(
      0,
      readClass(node['deviceClass']),
    ),
    commandClasses: new Set(
      endpoints.flatMap((one) =>
        listOf(one['commandClasses'])
          .slice(0, 256)
          .map((cc) => Number(objectOf(cc)['id'])),
      ),
    ),
    values: listOf(node['values'])
      .slice(0, MAX_VALUES)
      .flatMap((value) => (isJsonObject(value) ? (readValue(value) ?? []) : [])),
  };
}

function readClass(value: JsonValue | undefined): DeviceClass {
  const { generic, specific } = objectOf(value);
  return { generic: wholeOf(objectOf(generic)['key']) ?? 0, specific: wholeOf(objectOf(specific)['key']) ?? 0 };
}

/** A value with its metadata; `undefined` if it has no name, or is a secret: codes of a lock are read by nobody here. */
function readValue(value: JsonObject): NodeValue | undefined {
  const id = readValueId(value);
  const metadata = objectOf(value['metadata']);
  if (id === undefined || isSecret(id) || metadata['secret'] === true) return undefined;
  return {
    id,
    key: keyOf(id),
    ccName: readName(value['commandClassName'], 60) ?? `cc ${id.commandClass}`,
    propertyName: readName(value['propertyName'], 60) ?? String(id.property),
    keyName: readName(value['propertyKeyName'], 60),
    metadata: readMetadata(metadata),
    value: heldOf(value['value']),
  };
}

/** Returns the value that the hub holds; `undefined` for none. */
export function heldOf(value: JsonValue | undefined): JsonValue | undefined {
  return value === null ? undefined : value;
}

const USER_CODE = 99;
const USER_CREDENTIAL = 131;
const CODES: ReadonlySet<Property> = new Set(['userCode', 'adminCode', 'masterCode']);

/** Codes that open a lock, whatever the metadata says. */
export function isSecret({ commandClass, property }: ValueId): boolean {
  return commandClass === USER_CREDENTIAL || (commandClass === USER_CODE && CODES.has(property));
}

function readMetadata(metadata: JsonObject): Metadata {
  const states = Object.entries(objectOf(metadata['states'])).slice(0, MAX_STATES);
  return {
    type: readName(metadata['type'], 40) ?? 'any',
    label: readName(metadata['label']),
    description: readName(metadata['description'], 300),
    readable: metadata['readable'] !== false,
    writeable: metadata['writeable'] === true,
    min: numberOf(metadata['min']) ?? null,
    max: numberOf(metadata['max']) ?? null,
    unit: readName(metadata['unit'], 20),
    states: new Map(states.map(([raw, label]) => [raw.slice(0, 60), readName(label, 80) ?? raw.slice(0, 60)])),
    specific: objectOf(metadata['ccSpecific']),
    isStateful: metadata['stateful'] !== false,
    takesOthers: metadata['allowManualEntry'] === true,
    canFade: listOf(metadata['valueChangeOptions']).slice(0, 8).includes('transitionDuration'),
  };
}

const MAX_PROPERTY = 80;

export function readValueId(value: JsonObject): ValueId | undefined {
  const commandClass = wholeOf(value['commandClass']);
  const property = propertyOf(value['property']);
  const propertyKey = propertyOf(value['propertyKey']);
  const endpoint = wholeOf(value['endpoint'] ?? 0);
  if (commandClass === undefined || property === undefined || endpoint === undefined) return undefined;
  return { commandClass, endpoint, property, ...(propertyKey === undefined ? {} : { propertyKey }) };
}

function propertyOf(value: JsonValue | undefined): Property | undefined {
  if (typeof value === 'string') return value === '' || value.length > MAX_PROPERTY ? undefined : value;
  return wholeOf(value);
}

export function keyOf({ commandClass, endpoint, property, propertyKey }: ValueId): string {
  return `${commandClass}/${endpoint}/${property}/${propertyKey ?? ''}`;
}

export function nodeIdOf(value: JsonValue | undefined): number | undefined {
  const id = wholeOf(value);
  return id !== undefined && id > 0 && id <= 0xffff ? id : undefined;
}

/** A whole number from 0 on. */
function wholeOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function hexOf(value: number | undefined): string {
  return (value ?? 0).toString(16).padStart(4, '0');
}
