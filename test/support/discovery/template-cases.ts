/*
 * Templates as publishers write them, and stranger ones: made from a grammar of what Jinja2 reads. The oracle for them is
 * the real Jinja2 of Home Assistant (jinja-judge.py).
 */

/** Payloads that every template meets: numbers in each spelling, texts, nothing, structures. */
export const PAYLOADS: readonly string[] = [
  '{"t":21.5,"h":40,"s":"ON","b":true,"n":null,"l":[1,2.0,"x"],"o":{"k":"v","n":{"z":0}},"e":"","neg":-3,"big":12345678901234567890,"f":1.0,"sci":1e3}',
  '{"t":"21.50","h":"40","s":"OFF","b":false,"l":[],"o":{},"e":" a B c ","neg":-0.5,"f":0.1,"sci":2.5e-7,"u":"Küche \\u00e9 😀"}',
  '{"t":100,"h":0,"s":"off","b":"true","n":0,"l":["b","A","c","a"],"o":{"b":2,"a":1},"e":"1,2;3","neg":-17,"f":2.675,"sci":1e16,"items":5}',
  '{"t":-0.0,"h":99.9,"s":"1","l":[[1,2],[3,4]],"o":{"x":[{"y":1},{"y":2}]},"e":"x_y-z","f":0.5,"neg":7,"sci":1e22,"action":"button_1_press_release"}',
  '{"t":1.5,"h":2.5,"s":"brightness_step_up","l":[3,1,2],"o":{"k":null},"e":"2026-11-21T12:34:56+00:00","f":1e-5,"neg":1700000000,"b":1}',
  '{"s":"It\'s \\"q\\" \\\\ \\n end","l":[true,false,null],"t":"nan","h":"inf","f":1e308,"neg":"-5","e":"0x1F","o":{"k":{"k":1}}}',
  'ON',
  'off',
  '',
  ' 5 ',
  '1e3',
  '21.55',
  '-3',
  'nan',
  'true',
  '0',
  '100',
  '12:30:05',
  'a,b,c',
  '{"broken":',
  '[1,2,3]',
  '"text"',
  'null',
  'Ünïcode ßtraße',
  '007',
  '1_000',
  '{"t":1,"t":2}',
  '1.0',
  '4294967296',
];

/** What `value` may be when a command template is rendered. */
export const COMMAND_VALUES: readonly unknown[] = ['ON', 'heat', 21.5, 18.0, 50, 0, true, null, 'low', ''];

const PATHS = [
  'value',
  'value_json',
  'value_json.t',
  'value_json.h',
  'value_json.s',
  "value_json['b']",
  'value_json.l',
  'value_json.o',
  'value_json.o.k',
  'value_json.e',
  'value_json.neg',
  'value_json.f',
  'value_json.sci',
  'value_json["n"]',
  'value_json.u',
  'value_json.missing',
  'value_json.o.missing.deep',
  'value_json.l[0]',
  'value_json.l[-1]',
  'value_json.l[9]',
  'value_json.items',
  'value_json.get("t")',
  "value_json.get('zz', 4)",
  'value_json.big',
  'value_json.o.keys()',
  'value_json.o.items()',
  'unknown_name',
  'value[0]',
  'value[1:3]',
  'value_json.l[1:]',
  'value_json.e[::-1]',
];
const LITERALS = [
  '0',
  '1',
  '2',
  '10',
  '100',
  '0.5',
  '1.5',
  '2.0',
  '3.6',
  '-1',
  '1e3',
  '255',
  "'ON'",
  "'off'",
  "''",
  "'a,b'",
  '"x"',
  "'None'",
  'true',
  'false',
  'none',
  'None',
  '[1, 2]',
  "['ON', 'on']",
  '(1, 2)',
  "{'ON': 'on', 'OFF': 'off'}",
  "{0:'off', 1:'low', None:'none'}",
  '[]',
  '{}',
  '10000',
  '32',
];
const FILTERS = [
  'float',
  'float(0)',
  'float(none)',
  'int',
  'int(0)',
  "int('x')",
  'int(0, 16)',
  'round',
  'round(1)',
  'round(2)',
  "round(0, 'floor')",
  "round(1, 'ceil')",
  "round(0,'half')",
  'round(2, default=0)',
  'default',
  "default('')",
  "default('None')",
  'default(0, true)',
  "d('x')",
  'is_defined',
  "iif('a','b')",
  "iif('a','b','c')",
  'lower',
  'upper',
  'title',
  'capitalize',
  'trim',
  "replace('a','b')",
  "replace(',', '.')",
  "replace('', '-')",
  'length',
  'count',
  'first',
  'last',
  'list',
  "join(',')",
  'join',
  'string',
  'tojson',
  'to_json',
  'from_json',
  'abs',
  'min',
  'max',
  'sum',
  'sort',
  'sort(reverse=true)',
  'reverse',
  'reverse|list',
  'unique|list',
  "map('int')|list",
  "map('float')|first",
  "map('upper')|join('')",
  "map(attribute='y')|list",
  'map(attribute=1)|list',
  "select('number')|list",
  "reject('none')|list",
  'select|list',
  "selectattr('y', 'eq', 1)|list",
  "selectattr(0, 'eq', 1)|list",
  "rejectattr(0,'in',(1,2))|list",
  'is_number',
  'bool',
  'bool(false)',
  'multiply(2)',
  'multiply(0.1)',
  'add(1)',
  'bitwise_and(15)',
  'bitwise_or(1)',
  "regex_replace('[0-9]+', 'N')",
  "regex_match('O[NF]')",
  "regex_search('n$', true)",
  "regex_findall('([a-z]+)_([0-9a-z]+)')",
  "regex_findall_index('[0-9]+', 0)",
  "regex_findall('^(?P<a>(?:button_)?[a-z0-9]+)_(?P<b>(?:press|hold)(?:_release)?)$')",
  'truncate(5)',
  "truncate(4, true, '', 0)",
  'timestamp_custom',
  "timestamp_custom('%H:%M', false)",
  'timestamp_utc',
  'timestamp_local',
  'as_timestamp',
  'as_timestamp(0)',
  'as_datetime',
  'ord',
  'items|list',
  'dictsort',
  "dictsort(by='value')",
  'contains(1)',
  'typeof',
  'flatten',
  'md5',
  'base64_encode',
  'format(1, 2.5)',
  'tuple',
  "trim('ab')",
  'sqrt',
  'map',
  'count',
];
const TESTS = [
  'defined',
  'undefined',
  'none',
  'number',
  'string',
  'mapping',
  'sequence',
  'iterable',
  'integer',
  'float',
  'boolean',
  'true',
  'false',
  'odd',
  'even',
  'divisibleby 3',
  'divisibleby(2)',
  "eq 'ON'",
  'eq(1)',
  'ne 0',
  'gt 5',
  'lt(20)',
  "in ['ON', 1]",
  'not none',
  'not defined',
  "match('O')",
  "search('n')",
  'list',
  'is_number',
  'upper',
  'lower',
  'sameas true',
  'ge 0',
  "contains('a')",
];
const METHODS = [
  "split(',')",
  'split()',
  "split('_')[0]",
  "split(':')[1]",
  'lower()',
  'upper()',
  'strip()',
  "replace('O', 'o')",
  "startswith('O')",
  "endswith('n')",
  'title()',
  'capitalize()',
  "find('n')",
  'keys()|list',
  'values()|list',
  'items()|list',
  'get("k")',
  "get('k', 'd')",
  'isdigit()',
  "rstrip('F')",
  'zfill(4)',
  "count('a')",
  'index(1)',
  "join(['a','b'])",
  'append(1)',
  'update',
  'pop(0)',
  'timestamp()',
  'real',
  "removeprefix('O')",
  'format(1)',
  '__class__',
  'constructor',
  'k',
  '0',
  'isoformat()',
  "strftime('%Y')",
];
const OPERATORS = [
  '+',
  '-',
  '*',
  '/',
  '//',
  '%',
  '~',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
  ' in ',
  ' not in ',
  ' and ',
  ' or ',
];

export type TemplateMaker = { readonly template: () => string; readonly expression: (depth: number) => string };

export function createTemplateMaker(random: () => number): TemplateMaker {
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const chance = (percent: number): boolean => below(100) < percent;

  const expression = (depth: number): string => {
    if (depth <= 0) return chance(70) ? pick(PATHS) : pick(LITERALS);
    const sub = (): string => expression(depth - 1);
    switch (below(14)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `${bracketed(sub())} | ${pick(FILTERS)}`;
      case 4:
        return `${bracketed(sub())}${pick(OPERATORS)}${bracketed(sub())}`;
      case 5:
        return `${sub()} ${pick(OPERATORS)} ${sub()}`;
      case 6:
        return `${sub()} if ${sub()} else ${sub()}`;
      case 7:
        return `${bracketed(sub())} is ${pick(TESTS)}`;
      case 8:
        return `${bracketed(sub())}.${pick(METHODS)}`;
      case 9:
        return pick([
          `float(${sub()})`,
          `int(${sub()}, 0)`,
          `[${sub()}, ${sub()}]`,
          `{${pick(LITERALS)}: ${sub()}, 'k': ${sub()}}`,
          `max(${sub()}, ${sub()})`,
          `min([${sub()}, 3])`,
          `not ${sub()}`,
          `-${sub()}`,
          `range(${pick(LITERALS)})|list`,
          `iif(${sub()}, 1, 2)`,
          `dict(a=${sub()})`,
          `zip([1,2], ${sub()})|list`,
          `(${sub()},)`,
          `'%.2f' % ${bracketed(sub())}`,
          `"%s-%d"|format(${sub()}, ${sub()})`,
          `'%05.1f' % (${sub()})`,
          `is_number(${sub()})`,
          `as_timestamp(${sub()}, 0)`,
          `dict.from_keys(${sub()})`,
          `${sub()} is defined and ${sub()}`,
        ]);
      case 10:
        return `${bracketed(sub())}[${sub()}]`;
      case 11:
        return `${sub()} | ${pick(FILTERS)} | ${pick(FILTERS)}`;
      case 12:
        return `{'off': 0, 'low': 1, 1: 'x', none: 'nothing'}[${sub()}] | default('None')`;
      default:
        return sub();
    }
  };
  const bracketed = (text: string): string => (/^[\w.[\]'"]+$/.test(text) ? text : `(${text})`);

  const statement = (depth: number): string => {
    const inner = (): string => (depth <= 0 || chance(60) ? `{{ ${expression(1)} }}` : statement(depth - 1));
    const [open, close] = pick([
      ['{%', '%}'],
      ['{%-', '-%}'],
      ['{%', '-%}'],
    ] as const);
    switch (below(8)) {
      case 0:
      case 1:
        return `${open} if ${expression(2)} ${close} ${inner()} ${open} else ${close}${inner()}{% endif %}`;
      case 2:
        return `${open} if ${expression(1)} ${close}a${open} elif ${expression(1)} ${close}b{% endif %}`;
      case 3:
        return `${open} set x = ${expression(2)} ${close}{{ x }}${inner()}`;
      case 4:
        return `${open} for i in ${expression(1)} ${close}{{ i }}{{ loop.index }}{% if loop.last %}.{% else %}, {% endif %}${open} endfor ${close}`;
      case 5:
        return `{% for k, v in ${expression(1)}.items() %}{{ k }}={{ v }};{% else %}none{% endfor %}`;
      case 6:
        return `{% set ns = namespace(r=${pick(LITERALS)}) %}{% for i in ${expression(1)} %}{% if i %}{% set ns.r = ns.r + i %}{% endif %}{% if loop.index > 2 %}{% break %}{% endif %}{% endfor %}{{ ns.r }}`;
      default:
        return `{% set b %}<{{ ${expression(1)} }}>{% endset %}{{ b ~ b|length }}${inner()}`;
    }
  };

  return {
    expression,
    template: () => {
      if (chance(65)) return `{{ ${expression(1 + below(3))} }}`;
      if (chance(25)) return `{"v": {{ ${expression(1)} }}, "w": "{{ ${expression(1)} }}"}`;
      return statement(2);
    },
  };
}
