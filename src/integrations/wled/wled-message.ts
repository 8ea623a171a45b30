import { isJsonObject, type JsonObject, type JsonValue, listOf, objectOf, parseJson } from '#base/json.ts';
import { numberIn } from '#core/feature/peer-value.ts';
import { readName } from '#core/integration/read-name.ts';

/** A part of the strip that has its own color and effect. */
export type Segment = {
  readonly id: number;
  readonly name: string | null;
  readonly abilities: Abilities;
  /** As the light sends it; each reader checks the member that it reads. */
  readonly raw: JsonObject;
};

/** Without any of them it is a relay. */
type Abilities = { readonly color: boolean; readonly white: boolean; readonly temperature: boolean };

type LightInfo = {
  /** Twelve hex digits in lower case. */
  readonly mac: string;
  readonly name: string;
  readonly version: string | null;
  readonly model: string | null;
  readonly maker: string;
  /** Changes whenever the lists of effects, palettes or presets do. */
  readonly listsKey: string;
  /** The palettes that the person made, and those of makers of extensions; one without its own name has a number. */
  readonly customPalettes: number;
  readonly usermodPalettes: readonly (string | null)[];
  /** Whether its own palettes have the numbers of version 16. */
  readonly hasApartPalettes: boolean;
  readonly raw: JsonObject;
};

/** All that a light says at once, with every change. */
export type LightStatus = {
  readonly info: LightInfo;
  readonly state: JsonObject;
  readonly segments: readonly Segment[];
};

/** Names by the number that the light has for them. No two are alike. */
export type Names = ReadonlyMap<number, string>;

export type Lists = { readonly effects: Names; readonly palettes: Names; readonly presets: Names };

export const NO_LISTS: Lists = { effects: new Map(), palettes: new Map(), presets: new Map() };

const MAC = /^[0-9a-f]{12}$/i;
/** A large light has 32 segments. */
const MAX_SEGMENTS = 32;
/** Effects and palettes have numbers of one byte, as have presets. */
const MAX_NAMES = 256;
const MAX_NAME_LENGTH = 64;

/** `undefined` if it is not the whole state of a WLED light. */
export function readStatus(text: string): LightStatus | undefined {
  const message = objectOf(parseJson(text));
  const [state, rawInfo] = [objectOf(message['state']), objectOf(message['info'])];
  const info = readInfo(rawInfo);
  if (info === undefined || typeof state['on'] !== 'boolean') return undefined;
  return { info, state, segments: readSegments(state['seg'], rawInfo) };
}

/** The light is too busy to take a request. */
export function isBusyAnswer(text: string): boolean {
  // Shorter than any state: a long text need not be parsed twice.
  return text.length <= 200 && objectOf(parseJson(text))['error'] === BUSY;
}

const BUSY = 3;

/** `undefined` if it is not from a WLED light. */
function readInfo(raw: JsonObject): LightInfo | undefined {
  const { mac, ver, brand, product, release, arch, vid, fxcount, palcount, cpalcount, fs } = raw;
  if (typeof mac !== 'string' || !MAC.test(mac) || !isJsonObject(raw['leds'])) return undefined;
  const changed = [vid, fxcount, palcount, cpalcount, raw['umpalcount'], objectOf(fs)['pmt']];
  const ownModel = product === 'FOSS' ? null : readName(product);
  return {
    mac: mac.toLowerCase(),
    name: readName(raw['name']) ?? 'WLED',
    version: readName(ver, MAX_NAME_LENGTH),
    model: ownModel ?? readName(release, MAX_NAME_LENGTH) ?? readName(arch, MAX_NAME_LENGTH),
    maker: readName(brand, MAX_NAME_LENGTH) ?? 'WLED',
    listsKey: changed.map((part) => numberIn(part) ?? '').join(' '),
    customPalettes: readByte(cpalcount) ?? 0,
    usermodPalettes: readUsermodPalettes(raw),
    hasApartPalettes: Number.parseInt(readName(ver) ?? '', 10) >= FIRST_WITH_APART_PALETTES,
    raw,
  };
}

/**
 * Own palettes count down from 255 until WLED 15, and from 200 since 16, where 255 is the first of extensions (python-wled
 * 0.23, `16.0.0.json`).
 */
const FIRST_WITH_APART_PALETTES = 16;
const MAX_OWN_PALETTES = 50;

function readUsermodPalettes({ umpalcount, umpalnames }: JsonObject): readonly (string | null)[] {
  const names = listOf(umpalnames);
  const length = Math.min(readByte(umpalcount) ?? 0, MAX_OWN_PALETTES);
  return Array.from({ length }, (_, index) => readName(names[index], MAX_NAME_LENGTH));
}

/** The palettes that are not in the light's list, by their numbers. */
export function ownPalettes(info: LightInfo): readonly (readonly [number, string])[] {
  const first = info.hasApartPalettes ? 200 : 255;
  const custom = Array.from({ length: Math.min(info.customPalettes, MAX_OWN_PALETTES) }, (_, index) => {
    return [first - index, `Custom ${index + 1}`] as const;
  });
  const ofUsermods = info.hasApartPalettes ? info.usermodPalettes : [];
  return [...custom, ...ofUsermods.map((name, index) => [255 - index, name ?? `Usermod ${index + 1}`] as const)];
}

function readSegments(list: JsonValue | undefined, info: JsonObject): readonly Segment[] {
  const leds = objectOf(info['leds']);
  const own = listOf(leds['seglc']);
  // Before version 0.13 a light says only whether it has white beside its colors.
  const all = readByte(leds['lc']) ?? (leds['rgbw'] === true ? 3 : 1);
  const segments = new Map<number, Segment>();
  for (const [index, raw] of listOf(list).slice(0, MAX_SEGMENTS).entries()) {
    if (!isJsonObject(raw)) continue;
    const id = 'id' in raw ? readByte(raw['id']) : index;
    const { start, stop } = raw;
    const isEmpty = typeof start === 'number' && typeof stop === 'number' && stop <= start;
    if (id === undefined || segments.has(id) || isEmpty) continue;
    const bits = readByte(own[index]) ?? all;
    // The capabilities of WLED 16 and python-wled 0.23; further bits mean nothing yet.
    const abilities = { color: (bits & 1) !== 0, white: (bits & 2) !== 0, temperature: (bits & 4) !== 0 };
    segments.set(id, { id, name: readName(raw['n'], MAX_NAME_LENGTH), abilities, raw });
  }
  return [...segments.values()].toSorted((left, right) => left.id - right.id);
}

/** The names of effects or palettes; `undefined` if it is no list. Some firmware has reserved numbers in it. */
export function readNames(text: string): Names | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list)) return undefined;
  const entries = list.slice(0, MAX_NAMES).flatMap((item: JsonValue, id): [number, string][] => {
    // Older versions add what an effect needs after an @.
    const name = typeof item === 'string' ? readName(item.split('@', 1)[0], MAX_NAME_LENGTH) : null;
    return name === null || name === 'RSVD' || name === '-' ? [] : [[id, name]];
  });
  return withDistinctNames(entries);
}

/** The names of presets and playlists; `undefined` if it is no list of them. */
export function readPresets(text: string): Names | undefined {
  const presets = parseJson(text);
  if (!isJsonObject(presets)) return undefined;
  const entries: [number, string][] = [];
  // Numbers as keys come in order, and before all others.
  for (const key in presets) {
    if (entries.length >= MAX_NAMES) break;
    const preset = presets[key];
    const id = Number(key);
    if (!/^\d{1,3}$/.test(key) || id < 1 || id > 250 || !isJsonObject(preset)) continue;
    entries.push([id, readName(preset['n'], MAX_NAME_LENGTH) ?? `Preset ${id}`]);
  }
  return withDistinctNames(entries);
}

/** Two that are named alike get their numbers. */
export function withDistinctNames(entries: readonly (readonly [number, string])[]): Names {
  const names = new Map<number, string>();
  const taken = new Set<string>();
  for (const [id, name] of entries) {
    let own = taken.has(name) ? `${name} (${id})` : name;
    while (taken.has(own)) own += '*';
    taken.add(own);
    names.set(id, own);
  }
  return names;
}

/** Maps a byte. `null` stays what it is: the light does not know. */
export function mapByte<Made>(value: JsonValue | undefined, make: (byte: number) => Made): Made | null | undefined {
  if (value === null) return null;
  const byte = readByte(value);
  return byte === undefined ? undefined : make(byte);
}

/** A whole number from 0 to 255; anything else is no value of a light. */
export function readByte(value: JsonValue | undefined): number | undefined {
  const number = numberIn(value);
  return Number.isInteger(number) && number !== undefined && number >= 0 && number <= 255 ? number : undefined;
}
