import type * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { readBrokerUrl } from '#base/broker-url.ts';
import { type FieldError, fieldError, validationFailed } from '#base/hub-error.ts';
import type { Credentials, ExporterChange, ExporterSettings, ExporterType } from '#core/exporter/exporter.ts';
import { readWebhookUrl, socketHostOf } from '#core/webhook/webhook.ts';
import type { EventFilterDeps } from '#http/event/filter.ts';
import { readIds, unknownIn } from '#http/routing/named-ids.ts';
import { type AddressRules, readReceiverUrl, type Receiver, type ReceiverUrl } from '#http/routing/receiver-url.ts';
import type { credentialsSchema, ExporterBody } from './json.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

export type ExporterReadDeps = EventFilterDeps &
  AddressRules & {
    /** Whether an integration with this id is the connection to a broker. */
    readonly isBroker: (id: string) => boolean;
  };

/**
 * The settings with the changes of a body. Throws VALIDATION_FAILED for an invalid URL, an unknown name, and for a URL of
 * this machine itself unless the caller is an owner.
 */
export function readExporterChange(
  change: ExporterBody,
  old: ExporterSettings,
  deps: ExporterReadDeps & { readonly caller: Caller },
): ExporterChange {
  const errors: FieldError[] = [];
  const place = readPlace(change, old, { ...deps, errors });
  const { devices, rooms, keys } = change.series ?? {};
  const { filter } = old;
  const deviceIds = devices ? readIds(devices, deps.findDevice, unknownIn('/series/devices', 'device', errors)) : null;
  const roomIds = rooms ? readIds(rooms, deps.findRoom, unknownIn('/series/rooms', 'room', errors)) : null;
  const credentials = change.credentials && readCredentials(change.credentials, old.type, errors);
  if (credentials && place.broker !== null) {
    errors.push(fieldError('/credentials', 'INVALID_VALUE', ...faultWords('credentials_of_integration')));
  }
  if (errors.length > 0) throw validationFailed(errors);
  return {
    settings: {
      type: old.type,
      name: change.name === undefined ? old.name : change.name,
      ...place,
      filter: {
        deviceIds: devices === undefined ? filter.deviceIds : deviceIds,
        roomIds: rooms === undefined ? filter.roomIds : roomIds,
        keys: keys === undefined ? filter.keys : keys,
      },
      enabled: change.enabled ?? old.enabled,
    },
    credentials,
  };
}

/** Reads credentials, and adds their faults to `errors`. */
function readCredentials(
  { user, password, token }: z.infer<typeof credentialsSchema>,
  type: ExporterType,
  errors: FieldError[],
): Credentials | undefined {
  if (token === undefined && user !== undefined) return { user, password: password ?? '' };
  if (token !== undefined && user === undefined && password === undefined && type !== 'mqtt') return { token };
  const why = faultWords(type === 'mqtt' ? 'user_and_password' : 'user_or_token');
  errors.push(fieldError('/credentials', 'INVALID_VALUE', ...why));
  return undefined;
}

type PlaceDeps = ExporterReadDeps & { readonly caller: Caller; readonly errors: FieldError[] };
type Place = Pick<ExporterSettings, 'url' | 'broker' | 'mayReachHub'>;

/** Exactly one of the two: a change to one takes the other away. */
function readPlace(change: ExporterBody, old: ExporterSettings, deps: PlaceDeps): Place {
  const { errors } = deps;
  const asked = (change.url ?? null) !== null && (change.broker ?? null) !== null;
  if (asked) errors.push(fieldError('/broker', 'INVALID_VALUE', ...faultWords('not_with_url')));
  if (change.broker !== undefined && change.broker !== null) {
    if (old.type !== 'mqtt') errors.push(fieldError('/broker', 'INVALID_VALUE', ...faultWords('only_mqtt')));
    else if (!deps.isBroker(change.broker)) {
      errors.push(fieldError('/broker', 'INVALID_VALUE', ...faultWords('unknown_broker')));
    }
    return { url: null, broker: change.broker, mayReachHub: false };
  }
  if (change.url !== undefined && change.url !== null) {
    const receiver: Receiver = readReceiverUrl(change.url, old, { ...deps, readUrl: URL_OF_TYPE[old.type] });
    return { ...receiver, broker: null };
  }
  const left = { url: change.url === null ? null : old.url, broker: change.broker === null ? null : old.broker };
  if (left.url === null && left.broker === null) errors.push(fieldError('/url', 'REQUIRED', ...faultWords('missing')));
  return { ...left, mayReachHub: old.mayReachHub && left.url !== null };
}

const URL_OF_TYPE: Readonly<Record<ExporterType, (text: string) => ReceiverUrl | FaultWords>> = {
  line_protocol: (text) => {
    const url = readWebhookUrl(text);
    if (url === undefined) return faultWords('webhook_url');
    // Everyone who manages the hub sees the URL.
    const isSecret = ['u', 'p', 'token'].some((name) => url.searchParams.has(name));
    return isSecret ? faultWords('url_credentials') : { href: url.href, host: socketHostOf(url) };
  },
  mqtt: (text) => {
    const broker = readBrokerUrl(text);
    if (broker === undefined || broker.port === 0) return faultWords('mqtt_url');
    return { href: broker.url, host: broker.host };
  },
};
