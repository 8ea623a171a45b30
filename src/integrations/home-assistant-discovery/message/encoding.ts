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

const MARK = '\ufeff';
const UTF_16_LE: Encoding = { decode: decoderOf('utf-16le'), encode: (text) => Buffer.from(text, 'utf16le') };
const UTF_16_BE: Encoding = { decode: decoderOf('utf-16be'), encode: (text) => Buffer.from(text, 'utf16le').swap16() };
/** Python writes a byte order mark, and reads one of either order. */
const UTF_16: Encoding = {
  decode: (payload) => (payload[0] === 0xfe ? UTF_16_BE : UTF_16_LE).decode(payload)?.replace(MARK, ''),
  encode: (text) => UTF_16_LE.encode(MARK + text),
};
const UTF_8_MARKED: Encoding = {
  decode: (payload) => UTF_8.decode(payload)?.replace(MARK, ''),
  encode: (text) => MARK + text,
};

/** By the names that Python has for them, in lower case and without signs. */
const known = new Map<string, Encoding>([
  ...['utf8', 'u8'].map((name) => [name, UTF_8] as const),
  ...['utf16', 'u16'].map((name) => [name, UTF_16] as const),
  ['utf16le', UTF_16_LE],
  ['utf16be', UTF_16_BE],
  ['utf8sig', UTF_8_MARKED],
]);

/** `undefined` for an encoding that the hub does not know. */
export function encodingNamed(asked: string): Encoding | undefined {
  const name = asked.toLowerCase().replaceAll(/[-_ .]/g, '');
  const encoding = known.get(name) ?? tableOf(charactersOf(name));
  if (encoding !== undefined) known.set(name, encoding);
  return encoding;
}

/** The characters of the bytes from 0x80 on, with a space for none: Node.js reads it as Latin-1. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The characters of each byte; none for a name that is no such table. */
function charactersOf(name: string): readonly (string | undefined)[] {
  const all = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  if (/^(?:latin1?|l1|iso88591)$/.test(name)) return all;
  if (/^(?:us)?ascii$/.test(name)) return all.slice(0, 128);
  if (/^(?:cp|windows)1252$/.test(name))
    return all.map((one, byte) => (WINDOWS_1252[byte - 0x80] ?? one).replace(byte < 0x80 ? '' : ' ', '') || undefined);
  const [, iso, windows] = /^(?:iso8859([2-8]|1[0345])|(?:cp|windows)(125[01345678]))$/.exec(name) ?? [];
  if (iso === undefined && windows === undefined) return [];
  const decode = decoderOf(iso === undefined ? `windows-${windows}` : `iso-8859-${iso}`);
  return all.map((_, byte) => decode(Buffer.from([byte])));
}

function tableOf(characters: readonly (string | undefined)[]): Encoding | undefined {
  const bytes = new Map(characters.map((character, byte) => [character, byte]));
  if (bytes.size === 0) return undefined;
  return {
    decode: (payload) => {
      const text = Array.from(payload, (byte) => characters[byte]);
      return text.includes(undefined) ? undefined : text.join('');
    },
    encode: (text) => {
      const all = Array.from(text, (character) => bytes.get(character) ?? -1);
      return all.includes(-1) ? undefined : Buffer.from(all);
    },
  };
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
