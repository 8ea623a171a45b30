import { parse, TomlError } from 'smol-toml';

/** One leaf of the file by its dotted key, with the line on which it starts; an empty section has no value. */
export type FileEntry = { readonly key: string; readonly value: unknown; readonly line: number };
type ConfigFile =
  | { readonly ok: true; readonly entries: readonly FileEntry[] }
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Takes a TOML document apart into its leaves. */
export function decodeConfigFile(text: string): ConfigFile {
  const whole = parseToml(text);
  if (whole instanceof TomlError) {
    const message = (whole.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '');
    return { ok: false, line: whole.line, message };
  }
  const lines = findLines(text);
  return { ok: true, entries: listLeaves(whole).map(([key, value]) => ({ key, value, line: lines.get(key) ?? 1 })) };
}

function parseToml(text: string): Record<string, unknown> | TomlError {
  try {
    return parse(text, { maxDepth: 8 });
  } catch (error) {
    if (error instanceof TomlError) return error;
    throw error;
  }
}

/** Takes tables apart, keeps arrays whole. An empty table is a leaf without a value, so that it is not overlooked. */
function listLeaves(table: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(table).flatMap(([name, value]): [string, unknown][] => {
    const key = `${prefix}${name}`;
    if (!isTable(value)) return [[key, value]];
    return Object.keys(value).length > 0 ? listLeaves(value, `${key}.`) : [[key, undefined]];
  });
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

/**
 * Finds the first line of each key in a valid text. The parser gives no positions of keys, but a statement is complete
 * exactly when its lines parse by themselves under the last table header, so this needs no grammar of its own. A value
 * over n lines is parsed n times, which is quadratic; a configuration has some fifty lines, at most 64 KiB.
 */
function findLines(text: string): Map<string, number> {
  const found = new Map<string, number>();
  let header = '';
  let statement = '';
  let start = 1;
  for (const [index, line] of text.split('\n').entries()) {
    if (statement === '') start = index + 1;
    statement += `${line}\n`;
    const part = parseToml(header + statement);
    if (part instanceof TomlError) continue;
    for (const [key] of listLeaves(part)) if (!found.has(key)) found.set(key, start);
    if (statement.trimStart().startsWith('[')) header = statement;
    statement = '';
  }
  return found;
}
