import {
  TemplateFault,
  outside,
  pythonFault,
  reserveText,
  spendSteps,
  templateFault,
  type Budget,
  type FaultKind,
} from '#integrations/home-assistant-discovery/python/fault.ts';
import type { ZoneOffset } from '#integrations/home-assistant-discovery/python/moment.ts';
import { stripped } from '#integrations/home-assistant-discovery/python/number.ts';
import { textOf } from '#integrations/home-assistant-discovery/python/spelling.ts';
import {
  isTruthy,
  iterate,
  isKind,
  type Loop,
  type Value,
} from '#integrations/home-assistant-discovery/python/value.ts';
import { callFilter, callTest, evaluate, type Scope } from './evaluator.ts';
import type { Run } from './run.ts';
import type { Rendering as AskedRendering } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { variablesFrom } from '#integrations/home-assistant-discovery/rendering/variables.ts';
import { parseTemplate } from '#integrations/home-assistant-discovery/syntax/statement-parser.ts';
import type { Expression, Statement, Target } from '#integrations/home-assistant-discovery/syntax/tree.ts';

/** What time it is, for templates that ask. */
export type Surroundings = { readonly nowMs: () => number; readonly zoneOffset: ZoneOffset };

export type Template = {
  /** Without side effects. Takes at most the steps and characters of `LIMITS`. */
  readonly render: (variables: ReadonlyMap<string, Value>) => Rendered;
};

export type Rendered = { readonly text: string } | { readonly fault: FaultKind; readonly message: string };

/** Of the templates that an interpreter keeps. */
const MOST_CHARACTERS = 262_144;
/** Of one rendering. The largest template of Zigbee2MQTT takes 1,500 steps. */
export const LIMITS = { steps: 20_000, characters: 262_144 };

/**
 * Reads a template of Home Assistant, which is Jinja2 in a sandbox. What is outside of the subset that this interpreter
 * knows is refused here, or while it is rendered; it is never a wrong text.
 */
export function compileTemplate(
  source: string,
  surroundings: Surroundings,
): Template | { readonly fault: FaultKind; readonly message: string } {
  const own = stripped(source);
  // Without a tag it stands for itself.
  if (!/\{[{%#]/.test(own)) return { render: () => ({ text: own }) };
  const read = caught(() => parseTemplate(own));
  if ('fault' in read) return read;
  return {
    render: (variables) => {
      const result = caught(() => rendered(read.value, variables, surroundings));
      return 'fault' in result ? result : { text: result.value };
    },
  };
}

/** Renders whatever it is given. Templates that it has seen are kept, up to this number of characters. */
export function createInterpreter(zoneOffset: ZoneOffset): (rendering: AskedRendering) => Rendered {
  const known = new Map<string, ReturnType<typeof compileTemplate>>();
  let characters = 0;
  let now = 0;
  return ({ source, payload, more, nowMs }) => {
    now = nowMs;
    let template = known.get(source);
    if (template === undefined) {
      template = compileTemplate(source, { nowMs: () => now, zoneOffset });
      characters += source.length;
      if (characters > MOST_CHARACTERS) {
        known.clear();
        characters = source.length;
      }
      known.set(source, template);
    }
    if ('fault' in template) return template;
    return template.render(payload === null ? more : variablesFrom(payload, more));
  };
}

function caught<T>(make: () => T): { readonly value: T } | { readonly fault: FaultKind; readonly message: string } {
  try {
    return { value: make() };
  } catch (cause) {
    if (cause instanceof TemplateFault) return { fault: cause.kind, message: cause.message };
    // Thousands of filters, each of which asks the next one for its items, take the whole stack.
    if (cause instanceof RangeError) return { fault: 'budget', message: 'the template nests too deeply' };
    throw cause;
  }
}

type Rendering = { readonly run: Run; readonly parts: string[] };
/** How a body ended. */
type Flow = 'through' | 'break' | 'continue';

function rendered(
  statements: readonly Statement[],
  variables: ReadonlyMap<string, Value>,
  around: Surroundings,
): string {
  const budget: Budget = { ...LIMITS };
  const run: Run = {
    ...around,
    budget,
    filter: (name, args) => callFilter(run, name, args),
    test: (name, args) => callTest(run, name, args),
  };
  const rendering: Rendering = { run, parts: [] };
  const scope: Scope = { variables: new Map(), outer: { variables, outer: null } };
  runBody(rendering, scope, statements);
  return stripped(rendering.parts.join(''));
}

function write({ run, parts }: Rendering, text: string): void {
  reserveText(run.budget, text.length);
  parts.push(text);
}

function runBody(rendering: Rendering, scope: Scope, body: readonly Statement[]): Flow {
  for (const statement of body) {
    spendSteps(rendering.run.budget, 1);
    const flow = runStatement(rendering, scope, statement);
    if (flow !== 'through') return flow;
  }
  return 'through';
}

function runStatement(rendering: Rendering, scope: Scope, statement: Statement): Flow {
  const { run } = rendering;
  switch (statement.type) {
    case 'data':
      write(rendering, statement.text);
      return 'through';
    case 'print':
      write(rendering, textOf(run.budget, evaluate(run, scope, statement.value)));
      return 'through';
    case 'if': {
      const branch = statement.branches.find(([test]) => isTruthy(evaluate(run, scope, test)));
      return runBody(rendering, scope, branch?.[1] ?? statement.otherwise);
    }
    case 'for':
      return runLoop(rendering, scope, statement);
    case 'set':
      assign(run, scope, [statement.target, evaluate(run, scope, statement.value)]);
      return 'through';
    case 'set-block':
      return setBlock(rendering, scope, statement);
    default:
      return statement.type;
  }
}

function setBlock(
  rendering: Rendering,
  scope: Scope,
  { target, filter, body }: Statement & { readonly type: 'set-block' },
): Flow {
  const { run } = rendering;
  const inner: Rendering = { run, parts: [] };
  const flow = runBody(inner, { variables: new Map(), outer: scope }, body);
  if (flow !== 'through') throw outside('leaving a loop from inside a block');
  const text = inner.parts.join('');
  assign(run, scope, [target, filter === null ? text : evaluate(run, scope, withValue(filter, text))]);
  return 'through';
}

/** The filters behind `set name |`, applied to the block's text. */
function withValue(filter: Expression, value: string): Expression {
  if (filter.type !== 'filter') throw outside('such a filter of a block');
  return { ...filter, of: filter.of === null ? { type: 'constant', value } : withValue(filter.of, value) };
}

function assign(run: Run, scope: Scope, [target, value]: readonly [Target, Value]): void {
  switch (target.type) {
    case 'name':
      scope.variables.set(target.name, value);
      return;
    case 'member': {
      const of = evaluate(run, scope, { type: 'name', name: target.of });
      if (!isKind(of, 'namespace')) throw templateFault('cannot assign attribute on non-namespace object');
      of.entries.set(target.name, value);
      return;
    }
    case 'tuple': {
      const items: Value[] = [];
      for (const item of iterate(run.budget, value)) {
        if (items.length === target.items.length) throw pythonFault('too many values to unpack');
        items.push(item);
      }
      if (items.length < target.items.length) throw pythonFault('not enough values to unpack');
      target.items.forEach((one, at) => assign(run, scope, [one, items[at] ?? null]));
    }
  }
}

function runLoop(
  rendering: Rendering,
  scope: Scope,
  { target, over, only, body, otherwise }: Statement & { readonly type: 'for' },
): Flow {
  const { run } = rendering;
  const inner = (): Scope => ({ variables: new Map(), outer: scope });
  const items: Value[] = [];
  for (const item of iterate(run.budget, evaluate(run, scope, over))) {
    if (only !== null) {
      const tried = inner();
      assign(run, tried, [target, item]);
      if (!isTruthy(evaluate(run, tried, only))) continue;
    }
    items.push(item);
  }
  const loop: Loop = { kind: 'loop', items, index: -1, depth: 1, changed: null };
  for (const item of items) {
    loop.index += 1;
    const own = inner();
    own.variables.set('loop', loop);
    assign(run, own, [target, item]);
    if (runBody(rendering, own, body) === 'break') break;
  }
  return items.length === 0 ? runBody(rendering, inner(), otherwise) : 'through';
}
