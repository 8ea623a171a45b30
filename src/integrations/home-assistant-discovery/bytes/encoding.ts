/** How texts are bytes. */
export type Encoding = {
  /** `undefined` for bytes that are no such text: Home Assistant ignores such messages. */
  readonly decode: (payload: Buffer) => string | undefined;
  /** `undefined` for a text that has no such bytes. */
  readonly encode: (text: string) => string | Buffer | undefined;
};

export const UTF_8: Encoding = { decode: decoderOf('utf-8'), encode: (text) => text };

/** Messages stay bytes: only a template can read them, and only bytes of a template can be sent. */
export const RAW: Encoding = { decode: () => undefined, encode: () => undefined };

const LATIN_1: Encoding = { decode: (payload) => payload.toString('latin1'), encode: (text) => upTo(0xff, text) };

const ASCII: Encoding = {
  decode: (payload) => (payload.every((byte) => byte < 0x80) ? payload.toString('latin1') : undefined),
  encode: (text) => upTo(0x7f, text),
};

const UTF_16_LE: Encoding = { decode: decoderOf('utf-16le'), encode: (text) => Buffer.from(text, 'utf16le') };

const UTF_16_BE: Encoding = {
  decode: decoderOf('utf-16be'),
  encode: (text) => Buffer.from(text, 'utf16le').swap16(),
};

const MARK = '\ufeff';

/** Python writes a byte order mark, and reads one of either order. */
const UTF_16: Encoding = {
  decode: (payload) => {
    const isBig = payload[0] === 0xfe && payload[1] === 0xff;
    return unmarked((isBig ? UTF_16_BE : UTF_16_LE).decode(payload));
  },
  encode: (text) => UTF_16_LE.encode(MARK + text),
};

const UTF_8_MARKED: Encoding = {
  decode: (payload) => unmarked(UTF_8.decode(payload)),
  encode: (text) => MARK + text,
};

/** By the names that Python has for them, in lower case and without signs. */
const BY_NAME: ReadonlyMap<string, Encoding> = new Map([
  ...['utf8', 'utf', 'u8'].map((name) => [name, UTF_8] as const),
  ...['latin1', 'latin', 'l1', 'iso88591', '88591', '8859', 'cp819'].map((name) => [name, LATIN_1] as const),
  ...['ascii', 'usascii', '646'].map((name) => [name, ASCII] as const),
  ...['utf16', 'u16'].map((name) => [name, UTF_16] as const),
  ['utf16le', UTF_16_LE],
  ['utf16be', UTF_16_BE],
  ['utf8sig', UTF_8_MARKED],
]);

/** Python's name of a table of 256 characters, as the web calls it, where both mean the same. */
const TABLES: readonly (readonly [python: RegExp, web: string])[] = [
  [/^(?:iso)?8859([2-8]|10|13|14|15)$/, 'iso-8859-$1'],
  [/^latin9$/, 'iso-8859-15'],
  [/^(?:cp|windows)(125[0124-8])$/, 'windows-$1'],
  [/^koi8r$/, 'koi8-r'],
];

/** Its characters from 0x80 on, with a space for none: Node.js reads it as Latin-1. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

const tables = new Map<string, Encoding>();

/** By one of Python's names. `undefined` for one that the hub does not know. */
export function encodingNamed(said: string): Encoding | undefined {
  const name = said.toLowerCase().replaceAll(/[-_ .]/g, '');
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const [python, web] = TABLES.find(([pattern]) => pattern.test(name)) ?? [];
  if (python === undefined || web === undefined) return undefined;
  const own = name.replace(python, web);
  const table = tables.get(own) ?? tableOf(charactersOf(own));
  tables.set(own, table);
  return table;
}

function tableOf(characters: readonly (string | undefined)[]): Encoding {
  const bytes = new Map(characters.flatMap((character, byte) => (character === undefined ? [] : [[character, byte]])));
  return {
    decode: (payload) => {
      const all = Array.from(payload, (byte) => characters[byte]);
      return all.includes(undefined) ? undefined : all.join('');
    },
    encode: (text) => {
      const all = Array.from(text, (character) => bytes.get(character) ?? -1);
      return all.includes(-1) ? undefined : Buffer.from(all);
    },
  };
}

function charactersOf(name: string): readonly (string | undefined)[] {
  const decode = name === 'windows-1252' ? LATIN_1.decode : decoderOf(name);
  return Array.from({ length: 256 }, (_, byte) => {
    const special = name === 'windows-1252' ? WINDOWS_1252[byte - 0x80] : undefined;
    if (special !== undefined) return special === ' ' ? undefined : special;
    const character = decode(Buffer.from([byte]));
    // Where Python's tables of Windows have nothing, those of the web have controls.
    return name.startsWith('windows') && /[\u0080-\u009f]/.test(character ?? '') ? undefined : character;
  });
}

function decoderOf(name: string): (payload: Buffer) => string | undefined {
  const decoder = new TextDecoder(name, { fatal: true, ignoreBOM: true });
  return (payload) => {
    try {
      return decoder.decode(payload);
    } catch (cause) {
      if (cause instanceof TypeError) return undefined;
      throw cause;
    }
  };
}

function upTo(last: number, text: string): Buffer | undefined {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > last) return undefined;
  return Buffer.from(text, 'latin1');
}

function unmarked(text: string | undefined): string | undefined {
  return text?.startsWith(MARK) === true ? text.slice(1) : text;
}
