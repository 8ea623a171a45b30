import { isIP } from 'node:net';
import { readBrokerUrl } from '#base/broker-url.ts';
import { readIpAddress, readSubnet } from '#base/ip-address.ts';

/** Reads the values of one kind; `undefined` is a refusal. */
export type ValueKind<Value> = {
  /** What is allowed, in words that complete "must be …". */
  readonly allowed: string;
  /** From an environment variable or a flag. */
  readonly fromText: (text: string) => Value | undefined;
  /** From the parsed file. */
  readonly fromToml: (value: unknown) => Value | undefined;
};

/** A value that is a string in the file too. */
function textKind<Value>(allowed: string, read: (text: string) => Value | undefined): ValueKind<Value> {
  return { allowed, fromText: read, fromToml: (value) => (typeof value === 'string' ? read(value) : undefined) };
}

export function integerKind(min: number, max: number): ValueKind<number> {
  const check = (value: number): number | undefined =>
    Number.isInteger(value) && value >= min && value <= max ? value : undefined;
  return {
    allowed: `a whole number from ${min} to ${max}`,
    fromText: (text) => (/^\d{1,9}$/.test(text) ? check(Number(text)) : undefined),
    fromToml: (value) => (typeof value === 'number' ? check(value) : undefined),
  };
}

export const booleanKind: ValueKind<boolean> = {
  allowed: 'true or false (1 or 0 in the environment)',
  fromText: (text) => (text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : undefined),
  fromToml: (value) => (typeof value === 'boolean' ? value : undefined),
};

export function choiceKind<Choice extends string>(choices: readonly Choice[]): ValueKind<Choice> {
  return textKind(`one of ${choices.join(', ')}`, (text) => choices.find((choice) => choice === text));
}

/** A list of strings: an array in the file, commas in the environment. */
export function listKind<Item extends string>(item: ValueKind<Item>): ValueKind<readonly Item[]> {
  const readAll = (texts: readonly unknown[]): readonly Item[] | undefined => {
    const items = texts.map((text) => item.fromToml(text)).filter((value) => value !== undefined);
    return items.length === texts.length ? Object.freeze(items) : undefined;
  };
  return {
    allowed: `a list, each item ${item.allowed}`,
    fromText: (text) => readAll(text.split(',').map((part) => part.trim())),
    fromToml: (value) => (Array.isArray(value) ? readAll(value) : undefined),
  };
}

/** Kept as written: `loadConfig` makes paths absolute. */
export const pathKind: ValueKind<string> = textKind('the path of a file or folder', (text) =>
  text !== '' && !text.includes('\0') ? text : undefined,
);

const PRINTABLE = /^[^\p{Cc}]+$/u;

export const nameKind: ValueKind<string> = textKind('a text of 1 to 256 printable characters', (text) =>
  text.length <= 256 && PRINTABLE.test(text) ? text : undefined,
);

/** Kept without a final `/`. MQTT gives `+`, `#` and a leading `$` a special meaning. */
export const topicKind: ValueKind<string> = textKind('an MQTT topic without wildcards', (text) => {
  const topic = text.replace(/(?<!\/)\/+$/, '');
  return topic !== '' && topic.length <= 256 && PRINTABLE.test(topic) && !/[+#]|^[$/]/.test(topic) ? topic : undefined;
});

/** `null` stands for `off`. Refuses credentials in the address: they have options of their own. */
export const brokerUrlKind: ValueKind<string | null> = textKind(
  'off, or mqtt://host:port or mqtts://host:port without user and password (there are mqtt.user and mqtt.password_file)',
  (text) => (text === 'off' ? null : readBrokerUrl(text)?.url),
);

export const interfaceKind: ValueKind<string> = textKind('the name of a network interface', (text) =>
  /^[^\s/,]{1,15}$/u.test(text) && PRINTABLE.test(text) ? text : undefined,
);

/** Refuses `::ffff:10.0.0.0/8`: as written it is ::/8, which holds no IPv4 address, but its author means 10.0.0.0/8. */
export const subnetKind: ValueKind<string> = textKind(
  'a subnet such as 10.8.0.0/24 or fd00::/64 (write an IPv4 subnet as 10.0.0.0/8, not as ::ffff:10.0.0.0/8)',
  (text) => {
    const subnet = readSubnet(text);
    if (subnet === undefined || subnet.address.zone !== '') return undefined;
    const written = readIpAddress(text.slice(0, text.indexOf('/')));
    return written?.family === subnet.address.family ? text : undefined;
  },
);

export const hostKind: ValueKind<string> = textKind('a host name without port', (text) => {
  const name = text.toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  const fits = name.length <= 253 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label));
  return fits && isIP(name) === 0 ? name : undefined;
});

export const originKind: ValueKind<string> = textKind('an origin such as http://panel.home:3000', (text) => {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && `${url.origin}${text.endsWith('/') ? '/' : ''}` === text.toLowerCase()
    ? url.origin
    : undefined;
});
