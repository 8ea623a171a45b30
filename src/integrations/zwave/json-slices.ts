import { type JsonValue, parseJson } from '#base/json.ts';
import { createWorkSlices, type WorkSlices } from '#base/work-slices.ts';

/** A shorter text is parsed at once, in less than a millisecond. */
const PIECE = 64 * 1024;
/** Each level is gone through once more: a text that is only deep costs no more than this. */
const MOST_LEVELS = 6;
const SCANNED_AT_ONCE = 16 * 1024;

/** As `parseJson`, but the event loop gets its turns while a long text is parsed. */
export async function parseJsonInSlices(text: string, monotonicMs: () => number): Promise<JsonValue | undefined> {
  return parseLong(text, MOST_LEVELS, createWorkSlices(monotonicMs));
}

async function parseLong(text: string, levels: number, slices: WorkSlices): Promise<JsonValue | undefined> {
  const container = text.length > PIECE && levels > 0 ? text.trim() : '';
  const [first, last] = [container[0], container.at(-1)];
  const isList = first === '[' && last === ']';
  if (!isList && !(first === '{' && last === '}')) return parseJson(text);
  const list: JsonValue[] = [];
  const entries: [string, JsonValue][] = [];
  const end = container.length - 1;
  for (let at = 1; at <= end;) {
    const next = await memberEnd(container, at, slices);
    const member = container.slice(at, next);
    // Nothing at all stands in an empty container alone.
    if (next === end && at === 1 && member.trim() === '') break;
    const { key, from } = isList ? { key: '', from: 0 } : keyOf(member);
    const value = key === undefined ? undefined : await parseLong(member.slice(from), levels - 1, slices);
    if (key === undefined || value === undefined) return undefined;
    if (isList) list.push(value);
    else entries.push([key, value]);
    at = next + 1;
    await slices.pause();
  }
  // As JSON.parse does, `__proto__` becomes a member like others.
  return isList ? list : Object.fromEntries(entries);
}

/** The place of the comma after a member, or of the end of its container. */
async function memberEnd(text: string, from: number, slices: WorkSlices): Promise<number> {
  const end = text.length - 1;
  let depth = 0;
  let isText = false;
  for (let at = from; at < end; at += 1) {
    if ((at - from) % SCANNED_AT_ONCE === SCANNED_AT_ONCE - 1) await slices.pause();
    const char = text[at];
    if (isText) {
      if (char === '\\') at += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ',' && depth === 0) return at;
  }
  return end;
}

/** The key that a member begins with, and where its value begins. */
function keyOf(member: string): { readonly key: string | undefined; readonly from: number } {
  const open = member.search(/\S/);
  let close = open + 1;
  while (close < member.length && member[close] !== '"') close += member[close] === '\\' ? 2 : 1;
  const key = member[open] === '"' ? parseJson(member.slice(open, close + 1)) : undefined;
  const colon = member.indexOf(':', close);
  const isBare = colon >= 0 && member.slice(close + 1, colon).trim() === '';
  return { key: typeof key === 'string' && isBare ? key : undefined, from: colon + 1 };
}
