import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import { readDefinition, readText, type Definition } from '#integrations/zigbee2mqtt/exposes/definition.ts';

export type DeviceEntry = {
  readonly ieeeAddress: string;
  /** The name in topics, exactly as upstream has it. `null` if no topic can be made of it. */
  readonly topicName: string | null;
  readonly name: string;
  readonly isSupported: boolean;
  readonly isDisabled: boolean;
  readonly isInterviewing: boolean;
  readonly isBatteryPowered: boolean;
  readonly firmware: string | null;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly definition: Definition | null;
};

const IEEE_ADDRESS = /^0x[0-9a-f]{16}$/;
const MAX_NAME = 200;

/**
 * `null` for the coordinator, which is no device of the home; `undefined` for JSON that is no entry. If the entry
 * `isTooLarge` its features are not read.
 */
export function readDeviceEntry(json: JsonValue, isTooLarge = false): DeviceEntry | null | undefined {
  if (!isJsonObject(json)) return undefined;
  const ieeeAddress = json['ieee_address'];
  if (typeof ieeeAddress !== 'string' || !IEEE_ADDRESS.test(ieeeAddress)) return undefined;
  if (json['type'] === 'Coordinator') return null;
  return {
    ieeeAddress,
    topicName: readTopicName(json['friendly_name']),
    name: readText(json['friendly_name'], MAX_NAME) ?? ieeeAddress,
    isSupported: json['supported'] === true,
    isDisabled: json['disabled'] === true,
    isInterviewing: json['interview_state'] === 'IN_PROGRESS' || json['interviewing'] === true,
    isBatteryPowered: json['power_source'] === 'Battery',
    firmware: readText(json['software_build_id'], MAX_NAME),
    manufacturer: readText(json['manufacturer'], MAX_NAME),
    model: readText(json['model_id'], MAX_NAME),
    definition: readDefinition(json['definition'], isTooLarge),
  };
}

/** A name with a wildcard would subscribe to other devices' topics, and `bridge` is Zigbee2MQTT's own. */
export function readTopicName(name: unknown): string | null {
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME) return null;
  return /[+#\p{Cc}\p{Cs}]/u.test(name) || /^bridge(\/|$)/.test(name) ? null : name;
}

export type BridgeEvent = {
  readonly type: 'device_joined' | 'device_interview' | 'device_announce' | 'device_leave';
  readonly ieeeAddress: string;
  readonly name: string | null;
  /** Set only for an interview. */
  readonly status: 'started' | 'successful' | 'failed' | null;
  readonly isSupported: boolean | null;
  readonly model: string | null;
  readonly vendor: string | null;
};

const EVENT_TYPES = ['device_joined', 'device_interview', 'device_announce', 'device_leave'] as const;
const INTERVIEW_STATUSES = ['started', 'successful', 'failed'] as const;

export function readBridgeEvent(json: JsonValue): BridgeEvent | undefined {
  if (!isJsonObject(json) || !isJsonObject(json['data'])) return undefined;
  const { data } = json as { data: JsonObject };
  const type = EVENT_TYPES.find((known) => known === json['type']);
  const ieeeAddress = data['ieee_address'];
  if (type === undefined || typeof ieeeAddress !== 'string' || !IEEE_ADDRESS.test(ieeeAddress)) return undefined;
  const definition = isJsonObject(data['definition']) ? data['definition'] : {};
  return {
    type,
    ieeeAddress,
    name: readText(data['friendly_name'], MAX_NAME),
    status: INTERVIEW_STATUSES.find((known) => known === data['status']) ?? null,
    isSupported: typeof data['supported'] === 'boolean' ? data['supported'] : null,
    model: readText(definition['model'], MAX_NAME),
    vendor: readText(definition['vendor'], MAX_NAME),
  };
}

export type PermitJoin = {
  readonly isOpen: boolean;
  /** When pairing ends, in wall milliseconds of the bridge's machine. */
  readonly endMs: number | null;
};

export function readPermitJoin(json: JsonValue): PermitJoin | undefined {
  if (!isJsonObject(json) || typeof json['permit_join'] !== 'boolean') return undefined;
  const endMs = json['permit_join_end'];
  return { isOpen: json['permit_join'], endMs: typeof endMs === 'number' ? endMs : null };
}

/** Whether `bridge/info` says that the states of devices come with a topic for each property, and in no other way. */
export function readIsSplit(json: JsonValue): boolean | undefined {
  const config = isJsonObject(json) ? json['config'] : undefined;
  const advanced = isJsonObject(config) ? config['advanced'] : undefined;
  return isJsonObject(advanced) ? advanced['output'] === 'attribute' : undefined;
}

export type BridgeResponse = {
  readonly transaction: string;
  readonly isOk: boolean;
  readonly data: JsonObject;
  readonly error: string | null;
};

export function readBridgeResponse(json: JsonValue): BridgeResponse | undefined {
  if (!isJsonObject(json) || typeof json['transaction'] !== 'string') return undefined;
  return {
    transaction: json['transaction'],
    isOk: json['status'] === 'ok',
    data: isJsonObject(json['data']) ? json['data'] : {},
    error: readText(json['error']),
  };
}

/**
 * Read from a line of Zigbee2MQTT's log, the only place that says that a set did not reach its device. There is no code
 * for it, so a test with the real Zigbee2MQTT provokes the line.
 */
export type SetFailure = {
  /** The property that was set, without the endpoint that the property's name may end with. */
  readonly property: string;
  readonly topicName: string;
  readonly reason: string;
};

const SET = /(?:^|: )Publish 'set' '([^']+)' to '/;
const FAILED = "' failed: ";
/** Stands after the frame that was sent, and before the radio's reason. */
const CAUSE = ' failed (';

export function readSetFailure(json: JsonValue): SetFailure | undefined {
  if (!isJsonObject(json) || json['level'] !== 'error' || typeof json['message'] !== 'string') return undefined;
  const { message } = json as { message: string };
  const match = SET.exec(message);
  const start = (match?.index ?? 0) + (match?.[0].length ?? 0);
  // +1, because a name has at least one character.
  const end = message.indexOf(FAILED, start + 1);
  if (match?.[1] === undefined || end === -1) return undefined;
  const text = message
    .slice(end + FAILED.length)
    .replace(/^'/, '')
    .replace(/'$/, '');
  return {
    property: match[1],
    topicName: message.slice(start, end),
    reason: readText(causeIn(text) ?? text, MAX_NAME) ?? 'no reason given',
  };
}

function causeIn(text: string): string | undefined {
  const start = text.indexOf(CAUSE);
  return start === -1 || !text.endsWith(')') ? undefined : text.slice(start + CAUSE.length, -1);
}
