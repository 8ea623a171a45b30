import { outside } from '#integrations/home-assistant-discovery/python/fault.ts';
import { FILTERS } from './evaluator.ts';
import { isGlobal } from './functions.ts';
import type { Expression, Statement, Target } from '#integrations/home-assistant-discovery/syntax/tree.ts';
import { TESTS } from './tests.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** What Home Assistant has beyond this interpreter. What is in neither list is an error there as well. */
const OTHER_FILTERS = words(
  'acos asin atan atan2 average base64_decode cos difference intersect log median ordinal random shuffle sin slugify statistical_mode symmetric_difference tan union urlencode version as_timedelta attr batch center e escape filesizeformat forceescape groupby indent pprint safe slice striptags urlize wordcount wordwrap xmlattr area_id area_name area_entities area_devices floors floor_id floor_name floor_areas floor_entities integration_entities config_entry_attr config_entry_id device_attr device_entities device_id labels label_id label_name label_areas label_devices label_entities issue closest expand has_value relative_time time_since time_until today_at state_attr states is_state is_state_attr state_translated',
);
const OTHER_TESTS = words(
  'callable escaped filter test set string_like is_device_attr has_value is_hidden_entity is_state is_state_attr',
);
const OTHER_GLOBALS = words(
  'this entity_id name states is_state is_state_attr state_attr state_translated has_value expand closest distance relative_time time_since time_until today_at as_timedelta timedelta strptime acos asin atan atan2 average cos difference intersect log median merge_response set sha1 shuffle sin slugify statistical_mode symmetric_difference tan union urlencode version areas area_id area_name area_entities area_devices floors floor_id floor_name floor_areas floor_entities integration_entities config_entry_attr config_entry_id device_attr device_entities device_id is_device_attr labels label_id label_name label_areas label_devices label_entities issues issue is_hidden_entity cycler joiner lipsum self caller varargs kwargs context environment',
);

/** Throws TemplateFault for filters, tests and names that this interpreter does not have. */
export function checkNames(statements: readonly Statement[]): void {
  const assigned = new Set<string>();
  statements.forEach((statement) => noteTargets(statement, assigned));
  const check = (expression: Expression | null): void => {
    if (expression !== null) checkExpression(expression, assigned);
  };
  const checkBody = (body: readonly Statement[]): void => body.forEach(checkStatement);
  const checkStatement = (statement: Statement): void => {
    switch (statement.type) {
      case 'print':
      case 'set':
        return check(statement.value);
      case 'if':
        for (const [test, body] of statement.branches) {
          check(test);
          checkBody(body);
        }
        return checkBody(statement.otherwise);
      case 'for':
        check(statement.over);
        check(statement.only);
        checkBody(statement.body);
        return checkBody(statement.otherwise);
      case 'set-block':
        check(statement.filter);
        return checkBody(statement.body);
      case 'data':
      case 'break':
      case 'continue':
        return;
    }
  };
  checkBody(statements);
}

function noteTargets(statement: Statement, assigned: Set<string>): void {
  const note = (target: Target): void => {
    if (target.type === 'name') assigned.add(target.name);
    if (target.type === 'tuple') target.items.forEach(note);
  };
  if ('target' in statement) note(statement.target);
  const bodies =
    statement.type === 'if'
      ? [...statement.branches.map(([, body]) => body), statement.otherwise]
      : statement.type === 'for'
        ? [statement.body, statement.otherwise]
        : statement.type === 'set-block'
          ? [statement.body]
          : [];
  for (const body of bodies) for (const inner of body) noteTargets(inner, assigned);
}

function checkExpression(expression: Expression, assigned: ReadonlySet<string>): void {
  const checkAll = (expressions: readonly (Expression | null)[]): void => {
    for (const one of expressions) if (one !== null) checkExpression(one, assigned);
  };
  switch (expression.type) {
    case 'constant':
      return;
    case 'name':
      if (!assigned.has(expression.name) && !isGlobal(expression.name) && OTHER_GLOBALS.has(expression.name))
        throw outside(`'${expression.name}'`);
      return;
    case 'list':
    case 'tuple':
      return checkAll(expression.items);
    case 'dict':
      // Jinja2 refuses some of them when it reads the template, others when it gets there.
      if (expression.pairs.some(([key]) => key.type === 'list' || key.type === 'dict')) throw outside('such a key');
      return checkAll(expression.pairs.flat());
    case 'attribute':
    case 'unary':
    case 'not':
      return checkAll([expression.of]);
    case 'item':
      return checkAll([expression.of, expression.key]);
    case 'slice':
      return checkAll([expression.of, ...expression.parts]);
    case 'filter':
    case 'test':
      checkCalled(expression.type, expression.name);
      return checkAll([
        expression.of,
        ...expression.args.positional,
        ...expression.args.named.map(([, value]) => value),
      ]);
    case 'call':
      return checkAll([
        expression.of,
        ...expression.args.positional,
        ...expression.args.named.map(([, value]) => value),
      ]);
    case 'binary':
    case 'and':
    case 'or':
      return checkAll([expression.left, expression.right]);
    case 'join':
      return checkAll(expression.parts);
    case 'compare':
      return checkAll([expression.first, ...expression.others.map(([, other]) => other)]);
    case 'choice':
      return checkAll([expression.test, expression.yes, expression.no]);
  }
}

function checkCalled(what: 'filter' | 'test', name: string): void {
  const known = what === 'filter' ? FILTERS.has(name) : TESTS.has(name);
  if (known) return;
  const others = what === 'filter' ? OTHER_FILTERS : OTHER_TESTS;
  // Home Assistant refuses an unknown one too, but not where it is inside of an `if`.
  throw outside(others.has(name) ? `the ${what} ${name}` : `a ${what} named ${name}`);
}
