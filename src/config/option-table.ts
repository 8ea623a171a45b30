import { LOG_LEVELS } from '#base/log.ts';
import {
  booleanKind,
  brokerUrlKind,
  choiceKind,
  hostKind,
  integerKind,
  interfaceKind,
  listKind,
  nameKind,
  originKind,
  pathKind,
  subnetKind,
  topicKind,
  type ValueKind,
} from './option-value.ts';

type Option<Value = unknown> = {
  readonly variable: `HEARTHD_${string}`;
  readonly kind: ValueKind<Value>;
  /** Absent where it depends on how the hub was started: `defaultText` says how. */
  readonly default?: Value;
  readonly defaultText?: string;
  /** The default of the program that the package installed, where that is another. */
  readonly installedDefault?: Value;
  /** One sentence for help, doctor and the manual. */
  readonly meaning: string;
};

const noNames: readonly string[] = Object.freeze([]);

/** All options by their key in the file. Reading, help, doctor and manual use this table. */
export const OPTIONS = {
  state_dir: {
    variable: 'HEARTHD_STATE_DIR',
    kind: pathKind,
    defaultText: '/var/lib/hearthd when installed, else ./var',
    installedDefault: '/var/lib/hearthd',
    meaning: 'Folder of the database, its backups and the keys.',
  },
  runtime_dir: {
    variable: 'HEARTHD_RUNTIME_DIR',
    kind: pathKind,
    defaultText: '/run/hearthd when installed, else run/ in the state folder',
    installedDefault: '/run/hearthd',
    meaning: 'Folder of the control socket.',
  },
  port: {
    variable: 'HEARTHD_PORT',
    kind: integerKind(0, 65_535),
    default: 8080,
    defaultText: '80 when installed, else 8080',
    installedDefault: 80,
    meaning: 'TCP port of the HTTP API on every LAN address; 0 takes a free one.',
  },
  simulate: {
    variable: 'HEARTHD_SIMULATE',
    kind: booleanKind,
    default: false,
    meaning: 'Adds a simulated home, to try the hub without devices.',
  },
  log: {
    variable: 'HEARTHD_LOG',
    kind: choiceKind(LOG_LEVELS),
    default: 'info',
    meaning: 'How much is logged.',
  },
  'mqtt.url': {
    variable: 'HEARTHD_MQTT_URL',
    kind: brokerUrlKind,
    default: 'mqtt://127.0.0.1:1883',
    meaning: 'MQTT broker of Zigbee2MQTT, or off.',
  },
  'mqtt.user': {
    variable: 'HEARTHD_MQTT_USER',
    kind: nameKind,
    default: null,
    meaning: 'User name at the broker.',
  },
  'mqtt.password_file': {
    variable: 'HEARTHD_MQTT_PASSWORD_FILE',
    kind: pathKind,
    default: null,
    meaning: 'File whose first line is the password at the broker.',
  },
  'mqtt.base_topic': {
    variable: 'HEARTHD_MQTT_BASE_TOPIC',
    kind: topicKind,
    default: 'zigbee2mqtt',
    meaning: 'Topic under which Zigbee2MQTT speaks.',
  },
  'network.interfaces': {
    variable: 'HEARTHD_INTERFACES',
    kind: listKind(interfaceKind),
    default: noNames,
    meaning: 'Network interfaces that always count as the LAN.',
  },
  'network.exclude': {
    variable: 'HEARTHD_EXCLUDE',
    kind: listKind(interfaceKind),
    default: noNames,
    meaning: 'Network interfaces that are never the LAN.',
  },
  'network.extra_subnets': {
    variable: 'HEARTHD_EXTRA_SUBNETS',
    kind: listKind(subnetKind),
    default: noNames,
    meaning: 'Subnets behind a router of the home whose clients may use the hub.',
  },
  'network.allow_gua': {
    variable: 'HEARTHD_ALLOW_GUA',
    kind: booleanKind,
    default: false,
    meaning: 'Serves global IPv6 addresses (2000::/3) of the LAN too.',
  },
  'network.allow_cgnat': {
    variable: 'HEARTHD_ALLOW_CGNAT',
    kind: booleanKind,
    default: false,
    meaning: 'Serves carrier-grade NAT addresses (100.64.0.0/10) too.',
  },
  'network.deny_gateway': {
    variable: 'HEARTHD_DENY_GATEWAY',
    kind: booleanKind,
    default: false,
    meaning: 'Refuses clients with the address of the default gateway.',
  },
  'network.hosts': {
    variable: 'HEARTHD_HOSTS',
    kind: listKind(hostKind),
    default: noNames,
    meaning: 'Further host names under which the hub may be called.',
  },
  'network.origins': {
    variable: 'HEARTHD_ORIGINS',
    kind: listKind(originKind),
    default: noNames,
    meaning: 'Further web origins whose pages may use the hub.',
  },
} as const satisfies Record<string, Option>;

export type OptionKey = keyof typeof OPTIONS;
type KindOf<Key extends OptionKey> = (typeof OPTIONS)[Key]['kind'];
type DefaultOf<Key extends OptionKey> = (typeof OPTIONS)[Key] extends { default: null } ? null : never;
/** The value of each option, including the two whose default depends on how the hub was started. */
export type OptionValues = {
  readonly [Key in OptionKey]: (KindOf<Key> extends ValueKind<infer Value> ? Value : never) | DefaultOf<Key>;
};

export const OPTION_KEYS = Object.keys(OPTIONS) as readonly OptionKey[];

export function isOptionKey(text: string): text is OptionKey {
  return Object.hasOwn(OPTIONS, text);
}

/** The row of an option without the types of its value, for code that walks the table. */
export function optionOf(key: OptionKey): Option {
  return OPTIONS[key];
}
