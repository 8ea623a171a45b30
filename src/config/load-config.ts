import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { codeOf, errnoOf } from '#base/errno.ts';
import { escapeControls } from '#base/log.ts';
import { configFromValues, describeSource, type Config, type ConfigSource } from './config.ts';
import { decodeConfigFile, type FileEntry } from './config-file.ts';
import { nearestName } from './nearest-name.ts';
import { pathKind } from './option-value.ts';
import { isOptionKey, OPTION_KEYS, OPTIONS, optionOf, type OptionKey, type OptionValues } from './option-table.ts';

const DEFAULT_CONFIG_FILE = '/etc/hearthd/hearthd.toml';
const FILE_LIMIT = 64 * 1024;
const VARIABLES: readonly string[] = OPTION_KEYS.map((key) => optionOf(key).variable);

export type ConfigInputs = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly file?: string | undefined;
  readonly stateDir?: string | undefined;
  /** The program is where the package puts it, so its state is in the folders of the system. */
  readonly installed: boolean;
};

/** Why a configuration is refused, each complaint one line. */
export type LoadedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly string[] };

type Setting = { readonly value: unknown; readonly source: ConfigSource };
type Settings = Partial<Record<OptionKey, Setting>>;
type Layer = { readonly settings: Settings; readonly problems: readonly string[]; readonly file?: string };

/** Defaults < file < environment < flags. Bad input never throws: the result lists every problem at once. */
export function loadConfig(inputs: ConfigInputs): LoadedConfig {
  const file = readFileLayer(inputs.file);
  const environment = readEnvironmentLayer(inputs.environment);
  const flags = readFlagLayer(inputs.stateDir);
  const problems = [...file.problems, ...environment.problems, ...flags.problems];
  if (problems.length > 0) return { ok: false, problems: problems.map(escapeControls) };

  const given: Settings = { ...file.settings, ...environment.settings, ...flags.settings };
  const state = given.state_dir ?? byDefault(defaultStateDir(inputs));
  const runtime = given.runtime_dir ?? byDefault(defaultRuntimeDir(inputs, state));
  const filled: Settings = { ...given, state_dir: state, runtime_dir: runtime };
  const settings = OPTION_KEYS.map((key) => [key, filled[key] ?? byDefault(defaultOf(key, inputs))] as const);
  const values = Object.fromEntries(settings.map(([key, { value }]) => [key, value])) as OptionValues;
  const sources = Object.fromEntries(settings.map(([key, { source }]) => [key, source])) as Config['sources'];
  return { ok: true, config: configFromValues(values, { sources, file: file.file ?? null }) };
}

function byDefault(value: unknown): Setting {
  return { value, source: { kind: 'default' } };
}

function defaultOf(key: OptionKey, { installed }: ConfigInputs): unknown {
  const { installedDefault, default: value } = optionOf(key);
  return installed ? (installedDefault ?? value) : value;
}

/** systemd names the folders of a unit; INVOCATION_ID says nothing, for every shell of a desktop session has one. */
function defaultStateDir({ environment, installed }: ConfigInputs): string {
  const given = environment['STATE_DIRECTORY']?.split(':')[0];
  return resolve(given || (installed ? OPTIONS.state_dir.installedDefault : 'var'));
}

/** A state folder named for this one call belongs to another hub than the system's: its socket is not in /run. */
function defaultRuntimeDir({ environment, installed }: ConfigInputs, stateDir: Setting): string {
  const given = environment['RUNTIME_DIRECTORY']?.split(':')[0];
  if (given) return resolve(given);
  const ofSystem = installed && (stateDir.source.kind === 'default' || stateDir.source.kind === 'file');
  return ofSystem ? OPTIONS.runtime_dir.installedDefault : join(String(stateDir.value), 'run');
}

function readFileLayer(asked: string | undefined): Layer {
  const path = resolve(asked ?? DEFAULT_CONFIG_FILE);
  const text = readText(path);
  if (text.kind === 'missing' && asked === undefined) return { settings: {}, problems: [] };
  if (text.kind !== 'text') return { settings: {}, problems: [`${path}: ${text.why}`] };
  const decoded = decodeConfigFile(text.text);
  if (!decoded.ok) return { settings: {}, problems: [`${path}:${decoded.line}: not valid TOML: ${decoded.message}`] };
  return { ...layerOf(decoded.entries.map((entry) => readEntry(entry, path))), file: path };
}

type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' | 'bad'; readonly why: string };

function readText(path: string): FileText {
  try {
    const bytes = readBytes(path);
    if (bytes.length > FILE_LIMIT) return { kind: 'bad', why: `is larger than ${FILE_LIMIT} bytes` };
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch (error) {
    if (codeOf(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { kind: 'bad', why: 'is not UTF-8' };
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    if (errno === 'ENOENT') return { kind: 'missing', why: 'there is no such file' };
    return { kind: 'bad', why: `cannot be read (${errno})` };
  }
}

/** Reads at most one byte more than the limit, also from a pipe or a device. */
function readBytes(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(FILE_LIMIT + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length <= FILE_LIMIT; length += more)
      more = readSync(descriptor, buffer, length, FILE_LIMIT + 1 - length, null);
    return buffer.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

type Reading = { readonly key: OptionKey; readonly setting: Setting } | { readonly problem: string } | undefined;

function layerOf(readings: readonly Reading[]): Layer {
  const settings: Settings = {};
  const problems: string[] = [];
  for (const reading of readings) {
    if (reading === undefined) continue;
    if ('problem' in reading) problems.push(reading.problem);
    else settings[reading.key] = reading.setting;
  }
  return { settings, problems };
}

function readEntry({ key, value, line }: FileEntry, path: string): Reading {
  const source: ConfigSource = { kind: 'file', path, line };
  if (isOptionKey(key)) {
    return settle(key, { read: optionOf(key).kind.fromToml(value), written: value, source }, dirname(path));
  }
  const isEmptySection = value === undefined && OPTION_KEYS.some((known) => known.startsWith(`${key}.`));
  return isEmptySection ? undefined : { problem: unknownName(key, OPTION_KEYS, `${path}:${line}: `) };
}

function readEnvironmentLayer(environment: ConfigInputs['environment']): Layer {
  const given = Object.entries(environment).filter(([name, text]) => name.startsWith('HEARTHD_') && text !== '');
  return layerOf(
    given.map(([variable, text = '']): Reading => {
      const key = OPTION_KEYS.find((candidate) => optionOf(candidate).variable === variable);
      if (key === undefined) return { problem: unknownName(variable, VARIABLES, 'environment: ') };
      const source: ConfigSource = { kind: 'environment', variable };
      return settle(key, { read: optionOf(key).kind.fromText(text), written: text, source });
    }),
  );
}

function readFlagLayer(stateDir: string | undefined): Layer {
  if (stateDir === undefined) return { settings: {}, problems: [] };
  const source: ConfigSource = { kind: 'flag', flag: 'state-dir' };
  return layerOf([
    settle('state_dir', { read: optionOf('state_dir').kind.fromText(stateDir), written: stateDir, source }),
  ]);
}

type SourceValue = { readonly read: unknown; readonly written: unknown; readonly source: ConfigSource };

/** Relative paths in the file start at its folder, all others at the current folder. */
function settle(key: OptionKey, { read, written, source }: SourceValue, folder = '.'): Reading {
  if (read === undefined) {
    const where = describeSource(source);
    return { problem: `${where}: ${key} is ${shownValue(written)} but must be ${optionOf(key).kind.allowed}` };
  }
  const isPath = typeof read === 'string' && optionOf(key).kind === pathKind;
  return { key, setting: { value: isPath ? resolve(folder, read) : read, source } };
}

/** The value as it is written, cut to one line; user and password of an address are masked. */
function shownValue(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? String(part) : part)) ?? '';
  const masked = text.replace(/\/\/[^/@]*@/g, '//***@');
  return masked.length > 80 ? `${masked.slice(0, 77)}...` : masked;
}

function unknownName(name: string, known: readonly string[], where: string): string {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? '' : `, did you mean ${nearest}?`;
  return `${where}there is no option ${JSON.stringify(name)}${hint}`;
}
