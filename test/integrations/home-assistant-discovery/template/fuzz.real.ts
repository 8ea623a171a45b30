// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { describe, expect, test } from 'vitest';
import { LIMITS } from '#integrations/home-assistant-discovery/template/fault.ts';
import type { Rendered } from '#integrations/home-assistant-discovery/template/template.ts';
import { createTemplateMaker, PAYLOADS } from '#test/support/discovery/template-cases.ts';
import { renderTemplate, variablesOfPayload } from '#test/support/discovery/render-template.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';

/** What hostile publishers would write. Patterns that take for ever are in `hostile`: only the end of the thread ends them. */
const BOMBS: readonly string[] = [
  '{% for a in range(100000) %}{% for b in range(100000) %}x{% endfor %}{% endfor %}',
  "{{ 'x' * 1000000000 }}",
  "{{ ('x' * 200000) ~ ('x' * 200000) }}",
  '{{ [0] * 100000000 }}',
  "{% set ns = namespace(s='xx') %}{% for i in range(1000) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}{{ ns.s }}",
  '{% set ns = namespace(l=[1]) %}{% for i in range(1000) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l }}',
  '{% set ns = namespace(l=[1]) %}{% for i in range(60) %}{% set ns.l = [ns.l, ns.l] %}{% endfor %}{{ ns.l == ns.l }}{{ ns.l | length }}{{ ns.l | flatten }}',
  '{{ 9 ** 9 ** 9 ** 9 }}',
  '{{ 2 ** 16000 * 2 ** 16000 }}',
  "{{ ('a' * 5000) | regex_replace('a*?b', 'x') }}",
  "{{ 'a' | regex_match('((((((((((a{500}){500}){500}){500}){500}){500}){500}){500}){500}){500})') }}",
  "{{ ('a' * 250000) | replace('', 'b') | replace('', 'c') }}",
  "{{ ('a,' * 100000) | replace(',', 'xxxxxxxxxxxxxxxxxxxxxxxxxxx') | length }}",
  "{{ ('a ' * 100000).split() | map('upper') | join('-' * 1000) }}",
  "{{ '%9999d' % 1 }}{{ '%0999999999d' % 1 }}",
  '{{ value.__class__.__mro__[1].__subclasses__() }}',
  '{{ value_json.constructor.prototype }}{{ value_json["__proto__"] }}{{ {}.constructor }}',
  '{% set ns = namespace() %}{% set ns.__proto__ = 1 %}{% set ns.constructor = 2 %}{{ ns.constructor }}',
  '{{ dict(__proto__=1) }}{{ dict([["__proto__", 1]]).__proto__ }}',
  `{{ ${'('.repeat(5_000)}1${')'.repeat(5_000)} }}`,
  `{{ ${'['.repeat(5_000)} }}`,
  `{{ 1${' + 1'.repeat(5_000)} }}`,
  `{{ 1${' | abs'.repeat(5_000)} }}`,
  `{{ a${'.b'.repeat(5_000)} }}`,
  `{{ ${'not '.repeat(5_000)}1 }}`,
  `{{ ${'- '.repeat(5_000)}1 }}`,
  `{{ ${'1 if 1 else '.repeat(2_000)}1 }}`,
  '{% if 1 %}'.repeat(2_000),
  '{% for i in [1] %}'.repeat(500) + '{% endfor %}'.repeat(500),
  `{{ "${'\\x41'.repeat(5_000)}" }}`,
  `{#${'#'.repeat(20_000)}`,
  '{'.repeat(30_000),
  `{{ ${'9'.repeat(20_000)} }}`,
  `{{ "${'x'.repeat(40_000)}" }}`,
];

const render = (source: string, payload: string): Rendered => renderTemplate(source, variablesOfPayload(payload));

/** A template with a few characters put in, left out or doubled. */
function damaged(random: () => number, template: string): string {
  const pieces = [
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '|',
    '(',
    ')',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '.',
    '~',
    '**',
    ' is ',
    ' if ',
    ' in ',
    '\u0000',
    'é',
    '😀',
    '\ud800',
    '-',
    '0x',
    '1e999',
    ' ',
  ];
  let text = template;
  for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1) {
    const at = Math.floor(random() * (text.length + 1));
    const end = at + Math.floor(random() * 4);
    const put =
      random() < 0.5
        ? (pieces[Math.floor(random() * pieces.length)] ?? '')
        : text.slice(at, at + Math.floor(random() * 20));
    text = text.slice(0, at) + put + text.slice(end);
  }
  return text;
}

describe('I1: no template stops the hub', () => {
  test('random and damaged templates end in a text or a fault, within their budget', { timeout: 3_600_000 }, () => {
    const seed = drawSeed();
    const random = createDice(seed);
    const maker = createTemplateMaker(random);
    const count = runs(60_000);
    const ends = new Map<string, number>();
    for (let at = 0; at < count; at += 1) {
      const made = maker.template();
      const source = random() < 0.5 ? made : damaged(random, made);
      const payload = PAYLOADS[Math.floor(random() * PAYLOADS.length)] ?? '';
      const result = render(source, payload);
      const end = 'text' in result ? 'text' : result.fault;
      ends.set(end, (ends.get(end) ?? 0) + 1);
      if ('text' in result && result.text.length > LIMITS.length)
        throw new Error(`${source} made too much text, seed ${seed}`);
    }
    // Each kind of end is reached, so the search is no walk along one branch.
    expect([...ends.keys()]).toEqual(expect.arrayContaining(['text', 'template', 'python', 'syntax', 'outside']));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each(BOMBS.map((source) => [source.slice(0, 60), source]))('%s', async (_name, source) => {
    let result: Rendered | undefined;
    const steps = await countSteps(() => {
      result = render(source, '{"a":{"b":1},"__proto__":{"x":1}}');
    });
    expect(result).toBeDefined();
    // A step runs some hundred characters of code, and a character of a text up to four hundred.
    expect(steps).toBeLessThan(100_000_000);
    expect(result !== undefined && 'text' in result ? result.text : '').not.toMatch(
      /\[object|native code|function Object/,
    );
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test.each<[string, (count: number) => string, (count: number) => string]>([
    [
      'a payload of many members',
      () => '{{ value_json.k1 }}',
      (count) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: 100 * count }, (_, at) => [`k${at}`, at * 1.5]))),
    ],
    [
      'a long text',
      () => '{{ value_json.t | upper | replace("A", "bb") | length }}',
      (count) => JSON.stringify({ t: 'abc ü'.repeat(200 * count) }),
    ],
    [
      'a list',
      () => "{{ value_json | map('float') | sum }}",
      (count) => JSON.stringify(Array.from({ length: 40 * count }, (_, at) => at)),
    ],
    ['a pattern', () => "{{ value | regex_replace('[0-9]+(b|c)', 'x') }}", (count) => '12345a12b'.repeat(10 * count)],
    [
      'a long template',
      (count) => '{{ value_json.a | float(0) | round(1) }}; '.repeat(8 * count),
      () => '{"a":"1.25"}',
    ],
    ['escapes', () => '{{ value_json }}', (count) => `{"a":"${'\\u00e9\\n\\"'.repeat(200 * count)}"}`],
    ['brackets', () => '{{ value_json | length }}', (count) => `[${'[],{},'.repeat(200 * count)}1]`],
  ])('%s costs in proportion to its length', async (_what, source, payload) => {
    render(source(1), payload(1));
    const [few, many] = [
      await countSteps(() => render(source(2), payload(2))),
      await countSteps(() => render(source(16), payload(16))),
    ];
    expect(many / few).toBeLessThan(8 * 1.6);
  });
});
