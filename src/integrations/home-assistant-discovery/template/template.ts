import { UTF_8 } from '#integrations/home-assistant-discovery/message/encoding.ts';
import { LIMITS, TemplateFault, withinSteps, type FaultKind } from './fault.ts';
import { valueFromJson } from './json.ts';
import { tokensOf, type Parser } from './parser.ts';
import { collecting, parseStatements } from './statement.ts';
import type { Surroundings, Value } from './value.ts';

export type Variables = ReadonlyMap<string, Value>;
export type Rendered = { readonly text: string } | { readonly fault: FaultKind; readonly message: string };

export type Template = ReturnType<typeof compileTemplate>;

/**
 * Reads a template of Home Assistant, which is Jinja2 in a sandbox. What is outside of the subset that this interpreter
 * knows is refused here, or while it is rendered; it is never a wrong text. Throws TemplateFault.
 */
export function compileTemplate(source: string) {
  const parser: Parser = { tokens: tokensOf(source.trim()), at: 0, depth: 0, isPlain: true, certain: [] };
  const run = parseStatements(parser);
  return {
    /** It may be rendered on the event loop: it only reads members of a message and calculates with them. */
    isPlain: parser.isPlain,
    /** Without side effects. */
    render: (variables: Variables, around: Surroundings): Rendered => {
      const parts: string[] = [];
      const scope = { variables: new Map<string, Value>(), outer: { variables: new Map(variables), outer: null } };
      try {
        withinSteps(parser.isPlain ? LIMITS.plainSteps : LIMITS.steps, () => run({ around, scope }, collecting(parts)));
        return { text: parts.join('').trim() };
      } catch (cause) {
        if (cause instanceof TemplateFault) return { fault: cause.kind, message: cause.message };
        // Filters within filters may take the whole stack: that is a fault of the template as well.
        return { fault: 'budget', message: cause instanceof Error ? cause.message : 'it failed' };
      }
    },
  };
}

/** A rendering as it goes to the thread; its variables are of JSON. */
export type Rendering = {
  readonly source: string;
  readonly payload: string | Uint8Array | null;
  readonly more: Variables;
  readonly nowMs: number;
};

/** The templates that an interpreter keeps have so many together. */
const MOST_CHARACTERS = 262_144;

/** Renders whatever it is given. Templates that it has seen are kept, up to this number of characters. */
export function createInterpreter(zoneOffset: Surroundings['zoneOffset']): (rendering: Rendering) => Rendered {
  const known = new Map<string, Template>();
  let characters = 0;
  return ({ source, payload, more, nowMs }) => {
    const template = known.get(source) ?? compileTemplate(source);
    if (!known.has(source)) {
      if (characters + source.length > MOST_CHARACTERS) known.clear();
      characters = known.size === 0 ? source.length : characters + source.length;
      known.set(source, template);
    }
    const variables = payload === null ? more : variablesFrom(payload, more);
    return template.render(variables, { nowMs: () => nowMs, zoneOffset });
  };
}

/** A template knows the payload of a message, and what it is as JSON if it is some. They come before `more`. */
export function variablesFrom(payload: string | Uint8Array, more: Variables = new Map()): Variables {
  const value: Value =
    typeof payload === 'string'
      ? payload
      : { kind: 'bytes', bytes: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength) };
  // JSON is UTF-8 also where nothing else is text.
  const json = valueFromJson(typeof value === 'string' ? value : (UTF_8.decode(value.bytes) ?? ''));
  return new Map([...more, ['value', value], ...(json === undefined ? [] : [['value_json', json] as const])]);
}
