import { join } from 'node:path';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { type Config, secretsFolder } from '#config/config.ts';
import { optionOf, type OptionKey } from '#config/option-table.ts';
import type { ChangeGiven } from '#core/person/authorized-change.ts';
import type { IntegrationSettings, IntegrationSettingsChange } from '#core/integration/integration-settings.ts';
import type { BrokerAndTopic } from './brokered-zigbee2mqtt.ts';
import { type KeptBroker, type KeptBrokerStore, loadKeptBroker, saveKeptBroker } from './kept-broker.ts';

/** How the MQTT broker is reached. The configuration takes precedence over what was set over the API. */
export type BrokerSettings = {
  readonly isOn: () => boolean;
  readonly current: () => BrokerAndTopic;
  readonly shown: () => IntegrationSettings;
  /** Whether the configuration or a person has ever set any of it. */
  readonly isChosen: () => boolean;
  /**
   * On disk when it resolves, with `true` if the connection must be made anew. Throws HubError SETTING_FIXED and
   * VALIDATION_FAILED, and what `authorize` throws.
   */
  readonly change: (change: IntegrationSettingsChange, given?: Pick<ChangeGiven, 'authorize'>) => Promise<boolean>;
};

const OPTIONS = {
  enabled: 'mqtt.url',
  address: 'mqtt.url',
  user: 'mqtt.user',
  password: 'mqtt.password_file',
  baseTopic: 'mqtt.base_topic',
} as const satisfies Record<keyof IntegrationSettings, OptionKey>;
const FIELDS = Object.keys(OPTIONS) as (keyof IntegrationSettings)[];
const NAMES: Record<keyof IntegrationSettings, string> = {
  enabled: 'enabled',
  address: 'address',
  user: 'user',
  password: 'password',
  baseTopic: 'base_topic',
};

export async function openBrokerSettings(config: Config, store: KeptBrokerStore): Promise<BrokerSettings> {
  const inTurn = createTurnQueue();
  let kept = await loadKeptBroker(store);
  const shown = (): IntegrationSettings => shownFrom(config, kept);
  const current = (): BrokerAndTopic => settingsFrom(config, kept);
  return {
    isOn: () => shown().enabled.value,
    current,
    shown,
    isChosen: () => isChosen(config, kept),
    change: (change, given) =>
      inTurn(async () => {
        given?.authorize?.();
        const wanted = readChange(change, shown());
        const before = JSON.stringify([shown().enabled.value, current()]);
        const { password, ...others } = wanted;
        const address = others.address ?? shown().address.value ?? '';
        const secret = typeof password === 'string' ? { text: password, address } : password;
        kept = await saveKeptBroker(store, { ...kept, ...others }, secret);
        return before !== JSON.stringify([shown().enabled.value, current()]);
      }),
  };
}

function isChosen(config: Config, kept: KeptBroker): boolean {
  const isConfigured = FIELDS.some((field) => sourceInWords(config, OPTIONS[field]) !== null);
  return isConfigured || Object.values(kept).some((value) => value !== undefined);
}

function settingsFrom(config: Config, kept: KeptBroker): BrokerAndTopic {
  const { address, user, password, baseTopic } = shownFrom(config, kept);
  const keptFile = password.value ? keptPasswordFile(config, kept) : null;
  const file = password.fixedBy === null ? keptFile : config.mqtt.passwordFile;
  return { url: address.value ?? '', user: user.value, passwordFile: file, baseTopic: baseTopic.value };
}

function keptPasswordFile(config: Config, { passwordName }: KeptBroker): string | null {
  return typeof passwordName === 'string' ? join(secretsFolder(config), passwordName) : null;
}

function shownFrom(config: Config, kept: KeptBroker): IntegrationSettings {
  const { mqtt } = config;
  const choose = <Value>(field: keyof IntegrationSettings, given: Value, chosen: Value | undefined) => {
    const by = fixedBy(config, field);
    return { value: by === null && chosen !== undefined ? chosen : given, fixedBy: by };
  };
  const address = choose('address', mqtt.url, kept.address);
  // A password given for another address, before a restore or a change of the configuration, counts as missing.
  const isOurs = typeof kept.passwordName === 'string' && kept.passwordAddress === (address.value ?? '');
  return {
    enabled: choose('enabled', mqtt.url !== null, kept.enabled),
    address,
    user: choose('user', mqtt.user, kept.user),
    password: choose('password', mqtt.passwordFile !== null, kept.passwordName === undefined ? undefined : isOurs),
    baseTopic: choose('baseTopic', mqtt.baseTopic, kept.baseTopic),
  };
}

function fixedBy(config: Config, field: keyof IntegrationSettings): string | null {
  // `enabled` may always be changed, unless the configuration gives no address.
  if (field === 'enabled' && config.mqtt.url !== null) return null;
  const by = sourceInWords(config, OPTIONS[field]);
  // The configuration's password is sent only to the configuration's address.
  return field === 'address' ? (by ?? sourceInWords(config, 'mqtt.password_file')) : by;
}

/** Without the path of the file, because the API shows it. */
function sourceInWords({ sources }: Config, key: OptionKey): string | null {
  const source = sources[key];
  if (source.kind === 'default') return null;
  return source.kind === 'file' ? `${key} in the configuration file` : `${optionOf(key).variable} in the environment`;
}

type Wanted = Omit<KeptBroker, 'passwordName' | 'passwordAddress'> & { readonly password?: string | null | undefined };

/** The change in its stored form, without what is set so already. */
function readChange(change: IntegrationSettingsChange, shown: IntegrationSettings): Wanted {
  const asked = FIELDS.filter((field) => change[field] !== undefined && !isSo(change, shown, field));
  const fixed = asked.filter((field) => shown[field].fixedBy !== null);
  if (fixed.length > 0) {
    throw new HubError('SETTING_FIXED', `It is set by ${shown[fixed[0] ?? 'address'].fixedBy}.`, {
      errors: fixed.map((field) => fieldError(pointerTo(field), 'READ_ONLY', `is set by ${shown[field].fixedBy}`)),
    });
  }
  const errors: FieldError[] = [];
  const wanted = Object.fromEntries(asked.map((field) => [field, readValue(field, change[field], errors)])) as Wanted;
  // A caller who may not read the password must not be able to have it sent to an address of their choice.
  if (wanted.address !== undefined && shown.password.value && change.password === undefined) {
    errors.push(fieldError(pointerTo('password'), 'REQUIRED', 'is needed again with another address'));
  }
  const hasUser = (wanted.user === undefined ? shown.user.value : wanted.user) !== null;
  if (typeof wanted.password === 'string' && !hasUser) {
    errors.push(fieldError(pointerTo('user'), 'REQUIRED', 'is needed with a password'));
  }
  if (errors.length > 0) throw validationFailed(errors);
  const isForNobody = wanted.user === null && shown.password.fixedBy === null;
  return isForNobody ? { ...wanted, password: null } : wanted;
}

function isSo(
  change: IntegrationSettingsChange,
  shown: IntegrationSettings,
  field: keyof IntegrationSettings,
): boolean {
  return field === 'password'
    ? change.password === null && !shown.password.value
    : change[field] === shown[field].value;
}

function readValue(field: keyof IntegrationSettings, value: unknown, errors: FieldError[]): unknown {
  if (typeof value !== 'string') return value;
  const { kind } = optionOf(field === 'password' ? 'mqtt.user' : OPTIONS[field]);
  const read = field === 'address' && value === 'off' ? null : kind.fromText(value);
  if (typeof read === 'string') return read;
  const allowed =
    field === 'address' ? 'mqtt://host:port or mqtts://host:port without user and password' : kind.allowed;
  errors.push(fieldError(pointerTo(field), 'INVALID_FORMAT', `must be ${allowed}`));
  return undefined;
}

function pointerTo(field: keyof IntegrationSettings): string {
  return `/${NAMES[field]}`;
}
