import { isJsonObject, type JsonObject, type JsonValue, listOf, objectOf } from '#base/json.ts';
import { readName } from '#core/integration/read-name.ts';

/** How a device announces that it is made and set up. */
export type Announcement = {
  /** Twelve hex digits in lower case. */
  readonly mac: string;
  readonly name: string;
  /** The names of its outputs, in their order; `null` for one without a name. */
  readonly outputNames: readonly (string | null)[];
  readonly model: string | null;
  readonly firmware: string | null;
  /** Each ends with a slash, and has no wildcard. */
  readonly topics: { readonly command: string; readonly answer: string; readonly report: string };
  readonly words: { readonly online: string; readonly offline: string; readonly on: string; readonly off: string };
  /** What is at each place of the outputs. */
  readonly outputs: readonly OutputKind[];
  /** 0: no light; 1 dimmer, 2 white of two kinds, 3 color, 4 color and white, 5 color and white of two kinds. */
  readonly lightChannels: number;
  /** Color and white are two lights. */
  readonly isSplitLight: boolean;
  /** Each channel is a light of its own. */
  readonly areChannelsApart: boolean;
  /** Its color temperatures are 200 to 380 mired. */
  readonly hasNarrowWhite: boolean;
  readonly isFan: boolean;
  /** It sleeps between its reports. */
  readonly isSleeper: boolean;
  /** Numbers from 1. */
  readonly buttons: readonly number[];
  readonly switches: readonly AnnouncedSwitch[];
  readonly shutters: readonly AnnouncedShutter[];
};

type OutputKind = 'none' | 'relay' | 'light' | 'shutter';
type AnnouncedSwitch = {
  readonly number: number;
  /** What it is called in reports. */
  readonly key: string;
  readonly name: string | null;
  /** It tells what was done to it, and may have no state. */
  readonly tells: SwitchTold;
};

type SwitchTold = 'state' | 'press' | 'state and press';
export type AnnouncedShutter = {
  readonly isInverted: boolean;
  /** Degrees of its slats; `null` without. */
  readonly tilt: { readonly min: number; readonly max: number } | null;
};

const MAC = /^[0-9a-f]{12}$/i;
const MAX_OUTPUTS = 32;
const MAX_SWITCHES = 28;
const MAX_TOPIC = 200;
/** By their numbers (`rl` of hatasmota 0.10). */
const OUTPUTS: readonly OutputKind[] = ['none', 'relay', 'light', 'shutter'];
/**
 * The modes of a switch tell this where SetOption114 takes it off the outputs, by their numbers (SwitchMode of Tasmota
 * 15, as hatasmota 0.10 has it). One that is newer tells both, so that nothing of it is lost.
 */
const SWITCH_MODES: readonly SwitchTold[] = [
  'press', // 0 TOGGLE
  'state', // 1 FOLLOW
  'state', // 2 FOLLOW_INV
  'press', // 3 PUSHBUTTON
  'press', // 4 PUSHBUTTON_INV
  'press', // 5 PUSHBUTTONHOLD
  'press', // 6 PUSHBUTTONHOLD_INV
  'press', // 7 PUSHBUTTON_TOGGLE
  'press', // 8 TOGGLEMULTI
  'state and press', // 9 FOLLOWMULTI
  'state and press', // 10 FOLLOWMULTI_INV
  'press', // 11 PUSHHOLDMULTI
  'press', // 12 PUSHHOLDMULTI_INV
  'state', // 13 PUSHON
  'state', // 14 PUSHON_INV
  'state', // 15 PUSH_IGNORE
  'state', // 16 PUSH_IGNORE_INV
];

/** `undefined` if it is none, or names topics that no device may have. */
export function readAnnouncement(value: JsonValue | undefined): Announcement | undefined {
  if (!isJsonObject(value)) return undefined;
  const { mac, dn, md, sw, fn, rl, lt_st: lights, lk, btn, onln, ofln, state, dslp } = value;
  if (typeof mac !== 'string' || !MAC.test(mac) || !Array.isArray(rl)) return undefined;
  const topics = readTopics(value);
  if (topics === undefined) return undefined;
  const options = objectOf(value['so']);
  const outputNames = firstOf(fn, MAX_OUTPUTS).map((name) => readName(name));
  const outputs = firstOf(rl, MAX_OUTPUTS).map((kind) => OUTPUTS[Number(kind)] ?? 'none');
  const words = firstOf(state, 4);
  return {
    mac: mac.toLowerCase(),
    name: readName(dn) ?? outputNames[0] ?? `Tasmota ${mac.slice(-4)}`,
    outputNames,
    model: readName(md),
    firmware: readName(sw),
    topics,
    words: {
      online: textOf(onln, 'Online'),
      offline: textOf(ofln, 'Offline'),
      off: textOf(words[0], 'OFF'),
      on: textOf(words[1], 'ON'),
    },
    outputs,
    lightChannels: typeof lights === 'number' && lights >= 0 && lights <= 5 ? Math.floor(lights) : 0,
    isSplitLight: lk === 0 && typeof lights === 'number' && lights >= 4,
    areChannelsApart: options['68'] === 1,
    hasNarrowWhite: options['82'] === 1,
    isFan: value['if'] === 1,
    isSleeper: dslp === 1,
    buttons:
      options['73'] === 1 ? firstOf(btn, MAX_OUTPUTS).flatMap((one, index) => (one === 1 ? [index + 1] : [])) : [],
    switches: readSwitches(value, options['114'] === 1),
    shutters: readShutters(value, outputs),
  };
}

/** Reads the topics. The names of the device may stand in them at any place, in any order. */
function readTopics({ ft, tp, t, hn, mac }: JsonObject): Announcement['topics'] | undefined {
  const [command, answer, report] = firstOf(tp, 3);
  const build = (prefix: JsonValue | undefined): string | undefined => {
    if (typeof ft !== 'string' || typeof prefix !== 'string') return undefined;
    const names: Readonly<Record<string, string>> = {
      prefix,
      topic: textOf(t, ''),
      hostname: textOf(hn, ''),
      id: textOf(mac, ''),
    };
    const built = ft
      .slice(0, MAX_TOPIC)
      .replaceAll(/%(prefix|topic|hostname|id)%/g, (_all, name: string) => names[name] ?? '');
    const topic = built.endsWith('/') ? built : `${built}/`;
    return TOPIC.test(topic) && topic.length <= MAX_TOPIC ? topic : undefined;
  };
  const built = { command: build(command), answer: build(answer), report: build(report) };
  if (built.command === undefined || built.answer === undefined || built.report === undefined) return undefined;
  // Two that are alike would make a command out of a report.
  if (new Set(Object.values(built)).size < 3) return undefined;
  return { command: built.command, answer: built.answer, report: built.report };
}

const TOPIC = /^(?![$/])[^+#\p{Cc}\p{Cs}]+\/$/u;

function readSwitches({ swc, swn }: JsonObject, areButtons: boolean): AnnouncedSwitch[] {
  const names = firstOf(swn, MAX_SWITCHES);
  return firstOf(swc, MAX_SWITCHES).flatMap((mode, index) => {
    if (typeof mode !== 'number' || mode < 0) return [];
    const name = readName(names[index], 40);
    const key =
      typeof names[index] === 'string' && names[index] !== '' ? names[index].slice(0, 40) : `Switch${index + 1}`;
    const tells = areButtons ? (SWITCH_MODES[mode] ?? 'state and press') : 'state';
    return [{ number: index + 1, key, name, tells }];
  });
}

/** A shutter has two relays. */
function readShutters({ sho, sht }: JsonObject, outputs: readonly OutputKind[]): AnnouncedShutter[] {
  const count = Math.floor(outputs.filter((kind) => kind === 'shutter').length / 2);
  const settings = firstOf(sho, MAX_OUTPUTS);
  const tilts = firstOf(sht, MAX_OUTPUTS);
  return Array.from({ length: count }, (_, index) => {
    const [min, max] = firstOf(tilts[index], 3).map(Number);
    const bits = settings[index];
    const hasTilt = min !== undefined && max !== undefined && Number.isFinite(max - min) && max > min;
    return {
      isInverted: typeof bits === 'number' && Number.isInteger(bits) && bits % 2 === 1,
      tilt: hasTilt ? { min, max } : null,
    };
  });
}

function firstOf(value: JsonValue | undefined, most: number): readonly JsonValue[] {
  return listOf(value).slice(0, most);
}

function textOf(value: JsonValue | undefined, usual: string): string {
  return typeof value === 'string' && value !== '' ? value.slice(0, 100) : usual;
}
