import type { SecretFiles } from '#auth/secret-files.ts';
import { HubError } from '#base/hub-error.ts';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { optionOf } from '#config/option-table.ts';

/** What was set over the API; `undefined` where it never was. */
export type KeptBroker = {
  readonly enabled?: boolean | undefined;
  readonly address?: string | undefined;
  readonly user?: string | null | undefined;
  readonly baseTopic?: string | undefined;
  /** Name of the file of the password. */
  readonly passwordName?: string | null | undefined;
};

export type KeptBrokerStore = {
  readonly meta: {
    readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
    readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
  };
  readonly secrets: SecretFiles;
  readonly log: Log;
};

const KEY = 'broker';
/** Two, so that the old password is there until the new one is the valid one. */
const PASSWORD_NAMES = ['mqtt-password.a', 'mqtt-password.b'] as const;

/** What cannot be read, as from a later version, counts as never set. */
export async function loadKeptBroker({ meta, log }: KeptBrokerStore): Promise<KeptBroker> {
  const text = (await meta.loadMeta()).get(KEY);
  if (text === undefined) return {};
  const kept = readJson(text);
  if (!isJsonObject(kept)) {
    log.warn('the settings of the MQTT broker cannot be read: those of the configuration are used');
    return {};
  }
  const { enabled, address, user, base_topic: baseTopic, password } = kept;
  return {
    enabled: typeof enabled === 'boolean' ? enabled : undefined,
    address: readText('mqtt.url', address),
    user: user === null ? null : readText('mqtt.user', user),
    baseTopic: readText('mqtt.base_topic', baseTopic),
    passwordName: PASSWORD_NAMES.find((name) => name === password),
  };
}

/**
 * On disk when it resolves; what then is kept is the answer. The password goes into a file of its own beside the
 * database and stands in no backup; `undefined` leaves the one that there is.
 */
export async function saveKeptBroker(
  store: KeptBrokerStore,
  next: KeptBroker,
  password: string | null | undefined,
): Promise<KeptBroker> {
  const old = next.passwordName ?? null;
  const fresh = PASSWORD_NAMES.find((name) => name !== old) ?? null;
  const passwordName = password === undefined ? old : password === null ? null : fresh;
  if (typeof password === 'string' && fresh !== null) await writeSecret(store.secrets, fresh, password);
  const { enabled, address, user, baseTopic } = next;
  const json = { enabled, address, user, base_topic: baseTopic, password: passwordName };
  await store.meta.putMeta(new Map([[KEY, JSON.stringify(json)]]));
  if (old !== null && old !== passwordName) {
    try {
      await store.secrets.remove(old);
    } catch (cause) {
      store.log.warn('the old MQTT password could not be removed', { cause });
    }
  }
  return { ...next, passwordName };
}

async function writeSecret(secrets: SecretFiles, name: string, text: string): Promise<void> {
  try {
    await secrets.write(name, Buffer.from(text));
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    throw code === 'ENOSPC' || code === 'EDQUOT'
      ? new HubError('STORAGE_FULL', 'There is no room to keep the password.', { cause })
      : new HubError('STORAGE_UNAVAILABLE', 'The password cannot be kept now.', { cause });
  }
}

function readText(key: 'mqtt.url' | 'mqtt.user' | 'mqtt.base_topic', value: JsonValue | undefined): string | undefined {
  const text = typeof value === 'string' ? optionOf(key).kind.fromText(value) : undefined;
  return typeof text === 'string' ? text : undefined;
}

function readJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
