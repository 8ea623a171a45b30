import { errnoOf } from '#base/errno.ts';
import type { SecretFiles } from '#base/secret-files.ts';
import { HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue, parseJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { optionOf } from '#config/option-table.ts';
import type { IntegrationStatus } from '#core/event/event.ts';

/** The settings that were made over the API; `undefined` for each that never was. */
export type KeptBroker = {
  readonly enabled?: boolean | undefined;
  readonly address?: string | undefined;
  readonly user?: string | null | undefined;
  readonly baseTopic?: string | undefined;
  /** Name of the file of the password. */
  readonly passwordName?: string | null | undefined;
  /** The address for which the password was given. It is kept with the password, so that no restored backup can change it. */
  readonly passwordAddress?: string | undefined;
};

/** A password with the address that it may be sent to. */
export type BrokerPassword = { readonly text: string; readonly address: string };

export type KeptBrokerStore = {
  readonly meta: {
    readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
    readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
  };
  readonly secrets: SecretFiles;
  readonly log: Log;
};

const KEY = 'broker';
/** Two, so that the old password stays until the new one is committed. */
const PASSWORD_NAMES = ['mqtt-password.a', 'mqtt-password.b'] as const;

/** Whether a broker ever answered. */
export type BrokerReach = {
  readonly wasReached: () => boolean;
  readonly note: (status: IntegrationStatus) => void;
};

const REACHED_KEY = 'broker_reached';
/** Failures in which nothing at the address answered. */
const NOBODY_THERE = new Set(['CONNECTION_REFUSED', 'UNKNOWN_HOST', 'UNREACHABLE', 'TIMEOUT']);

/** Remembered from the first answer on: only a broker that answered once is reported as missing later. */
export async function openBrokerReach({ meta, log }: Pick<KeptBrokerStore, 'meta' | 'log'>): Promise<BrokerReach> {
  let wasReached = (await meta.loadMeta()).has(REACHED_KEY);
  return {
    wasReached: () => wasReached,
    note: ({ state, error }) => {
      const isAnswer = state === 'connected' || (error !== null && !NOBODY_THERE.has(error.code));
      if (wasReached || !isAnswer) return;
      wasReached = true;
      meta
        .putMeta(new Map([[REACHED_KEY, 'yes']]))
        .catch((cause: unknown) => log.warn('the fact that the MQTT broker answered could not be stored', { cause }));
    },
  };
}

/** Settings that cannot be read, such as those of a later version, count as never made. */
export async function loadKeptBroker(store: KeptBrokerStore): Promise<KeptBroker> {
  const { meta, log } = store;
  const text = (await meta.loadMeta()).get(KEY);
  if (text === undefined) return {};
  const kept = parseJson(text);
  if (!isJsonObject(kept)) {
    log.warn('the settings of the MQTT broker cannot be read: those of the configuration are used');
    return {};
  }
  const { enabled, address, user, base_topic: baseTopic, password } = kept;
  const passwordName = PASSWORD_NAMES.find((name) => name === password);
  return {
    enabled: typeof enabled === 'boolean' ? enabled : undefined,
    address: readText('mqtt.url', address),
    user: user === null ? null : readText('mqtt.user', user),
    baseTopic: readText('mqtt.base_topic', baseTopic),
    passwordName,
    passwordAddress: passwordName && (await readAddress(store, passwordName)),
  };
}

/**
 * Resolves with the kept settings once they are on disk. The password is kept in a separate file beside the database and is
 * in no backup; `undefined` leaves the present one.
 */
export async function saveKeptBroker(
  store: KeptBrokerStore,
  next: KeptBroker,
  password: BrokerPassword | null | undefined,
): Promise<KeptBroker> {
  const old = next.passwordName ?? null;
  const fresh = PASSWORD_NAMES.find((name) => name !== old) ?? null;
  const passwordName = password === undefined ? old : password === null ? null : fresh;
  if (password && fresh !== null) await writeSecret(store.secrets, fresh, password);
  const { enabled, address, user, baseTopic } = next;
  const json = { enabled, address, user, base_topic: baseTopic, password: passwordName };
  await store.meta.putMeta(new Map([[KEY, JSON.stringify(json)]]));
  if (old !== null && old !== passwordName) {
    try {
      await store.secrets.remove(old);
    } catch (cause) {
      store.log.warn('the file of the old MQTT password could not be removed', { cause });
    }
  }
  return { ...next, passwordName, passwordAddress: password === undefined ? next.passwordAddress : password?.address };
}

/** The second line of the password's file; the first one is sent to the broker. */
async function readAddress({ secrets, log }: KeptBrokerStore, name: string): Promise<string | undefined> {
  try {
    return (await secrets.read(name))?.toString('utf8').split('\n')[1];
  } catch (cause) {
    log.warn('the MQTT password cannot be read and counts as not set', { cause });
    return undefined;
  }
}

async function writeSecret(secrets: SecretFiles, name: string, { text, address }: BrokerPassword): Promise<void> {
  try {
    await secrets.write(name, Buffer.from(`${text}\n${address}\n`));
  } catch (cause) {
    const code = errnoOf(cause);
    throw code === 'ENOSPC' || code === 'EDQUOT'
      ? new HubError('STORAGE_FULL', 'There is no room to keep the password.', { cause })
      : new HubError('STORAGE_UNAVAILABLE', 'The password cannot be kept now.', { cause });
  }
}

function readText(key: 'mqtt.url' | 'mqtt.user' | 'mqtt.base_topic', value: JsonValue | undefined): string | undefined {
  const text = typeof value === 'string' ? optionOf(key).kind.fromText(value) : undefined;
  return typeof text === 'string' ? text : undefined;
}
