import { outside, pythonFault, reserveText, spendSteps, type Budget } from './fault.ts';
import { isCompound, isUndefined, typeName, type PyDict, type Value } from './value.ts';
import { floatText } from './spelling.ts';
import { hasHalfCharacter } from './text.ts';

/** `compact` is as `orjson` writes it, `spaced` as Python's own `json` does, with characters beyond ASCII escaped. */
export type JsonStyle = 'compact' | 'spaced';

export type JsonOptions = { readonly style: JsonStyle; readonly sortsKeys: boolean };

export function jsonText(budget: Budget, value: Value, options: JsonOptions): string {
  const parts: string[] = [];
  write(budget, value, {
    ...options,
    depth: 0,
    put: (text) => {
      reserveText(budget, text.length);
      parts.push(text);
    },
  });
  return parts.join('');
}

type Writer = JsonOptions & { readonly depth: number; readonly put: (text: string) => void };

function write(budget: Budget, value: Value, writer: Writer): void {
  spendSteps(budget, 1);
  const { put, style } = writer;
  if (value === null) return put('null');
  if (typeof value === 'boolean') return put(String(value));
  if (typeof value === 'bigint') return put(intJson(value, style));
  if (typeof value === 'number') return put(floatJson(value, style));
  if (typeof value === 'string') return put(textJson(value, style));
  if (writer.depth > 50) throw outside('a structure of such depth');
  const inner: Writer = { ...writer, depth: writer.depth + 1 };
  const comma = style === 'compact' ? ',' : ', ';
  if (value.kind === 'list' || value.kind === 'tuple') {
    put('[');
    value.items.forEach((item, at) => {
      if (at > 0) put(comma);
      write(budget, item, inner);
    });
    return put(']');
  }
  if (value.kind === 'dict') return writeDict(budget, value, inner);
  if (isUndefined(value)) throw pythonFault('Object of type Undefined is not JSON serializable');
  if (isCompound(value) && (value.kind === 'markup' || value.kind === 'moment'))
    throw outside(`a ${value.kind} as JSON`);
  throw pythonFault(`Object of type ${typeName(value)} is not JSON serializable`);
}

function writeDict(budget: Budget, dict: PyDict, writer: Writer): void {
  const { put, style } = writer;
  const entries = [...dict.entries.values()].map(({ key, value }) => {
    if (typeof key !== 'string') throw outside('JSON with a key that is no text');
    return [key, value] as const;
  });
  if (writer.sortsKeys) entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  put('{');
  entries.forEach(([key, value], at) => {
    if (at > 0) put(style === 'compact' ? ',' : ', ');
    put(textJson(key, style) + (style === 'compact' ? ':' : ': '));
    write(budget, value, writer);
  });
  put('}');
}

function intJson(value: bigint, style: JsonStyle): string {
  const fits = value >= -9_223_372_036_854_775_808n && value <= 18_446_744_073_709_551_615n;
  if (style === 'compact' && !fits) throw pythonFault('Integer exceeds 64-bit range');
  return String(value);
}

function floatJson(value: number, style: JsonStyle): string {
  if (!Number.isFinite(value)) {
    if (style === 'compact') return 'null';
    return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity';
  }
  const text = floatText(value);
  // The two libraries begin to write exponents at different sizes.
  if (style === 'compact' && text.includes('e')) throw outside('so large or small a number as JSON');
  return text;
}

function textJson(text: string, style: JsonStyle): string {
  if (hasHalfCharacter(text)) throw pythonFault('str is not valid UTF-8: surrogates not allowed');
  const quoted = JSON.stringify(text);
  if (style === 'compact') return quoted;
  return quoted.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
