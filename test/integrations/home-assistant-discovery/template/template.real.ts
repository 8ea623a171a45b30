// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { expect, test } from 'vitest';
import { valueFromJson } from '#integrations/home-assistant-discovery/bytes/json-reader.ts';
import type { Value } from '#integrations/home-assistant-discovery/python/value.ts';
import { compileTemplate } from '#integrations/home-assistant-discovery/template/template.ts';

test.each([
  "{% set ns = namespace(l=[1]) %}{% for i in range(2000) %}{% set ns.l = ns.l|map('int') %}{% endfor %}{{ ns.l|list }}",
  "{% set ns = namespace(l=[1]) %}{% for i in range(1500) %}{% set ns.l = ns.l|map('int')|select %}{% endfor %}{{ ns.l|list }}",
])('filters within filters beyond the stack are a fault of the template: %s', (source) => {
  const template = compileTemplate(source, { nowMs: () => 0, zoneOffset: () => 0 });
  if ('fault' in template) throw new Error(template.message);
  expect(template.render(new Map())).toMatchObject({ fault: 'budget' });
});

/** At noon of 20 November 2026 in a home an hour east of Greenwich. */
const NOON = { nowMs: () => Date.UTC(2026, 10, 20, 11), zoneOffset: () => 60 };

function made(source: string, value = ''): string {
  const template = compileTemplate(source, NOON);
  const json: Value = value.startsWith('{') ? (valueFromJson(value) ?? null) : null;
  const result =
    'fault' in template
      ? template
      : template.render(
          new Map<string, Value>([
            ['value', value],
            ['value_json', json],
          ]),
        );
  return 'text' in result ? result.text : `${result.fault}: ${result.message}`;
}

// amsreader, saic-python-mqtt-gateway and their like.
test.each([
  [
    '{% if value_json.u3 is defined %}{{ value_json.u3 }}{% else %}{{ states.sensor.u3 }}{% endif %}',
    '{"u3":229.9}',
    '229.9',
  ],
  [
    '{% if value_json.u3 is defined %}{{ value_json.u3 }}{% else %}{{ states.sensor.u3 }}{% endif %}',
    '{}',
    "outside: 'states' is not supported",
  ],
  ['{{ value_json.t if value_json.t is defined else states("sensor.t") }}', '{"t":1}', '1'],
  ["{{ 'x' if true else (value | slugify) }}", '', 'x'],
  ['{{ (now() + timedelta(seconds = value | int)).isoformat() }}', '3600', '2026-11-20T13:00:00+01:00'],
  ['{{ (utcnow() - timedelta(hours=1, minutes=30)).isoformat() }}', '', '2026-11-20T09:30:00+00:00'],
  ['{{ (now() - timedelta(days=1)).strftime("%Y-%m-%d") }}', '', '2026-11-19'],
  ['{{ timedelta(seconds=value|int) }}', '93784', '1 day, 2:03:04'],
  ['{{ timedelta(hours=-1) }}', '', '-1 day, 23:00:00'],
  ['{{ timedelta(hours=1.5).total_seconds() / 60 }}', '', '90.0'],
  ['{{ as_timedelta("1:30:00").total_seconds() | int }}', '', '5400'],
  ['{{ (now() - as_datetime(value)).total_seconds() }}', '2026-11-20T10:59:00Z', '60.0'],
  ['{{ today_at("07:30") }}', '', '2026-11-20 07:30:00+01:00'],
  ['{{ today_at() < now() }}', '', 'True'],
  ['{{ now().replace(hour=7, minute=5).isoformat() }}', '', '2026-11-20T07:05:00+01:00'],
  ['{{ strptime(value, "%d.%m.%Y %H:%M") }}', '20.11.2026 08:15', '2026-11-20 08:15:00'],
  ['{{ strptime(value, "%Y-%m-%dT%H:%M:%S%z").isoformat() }}', '2026-11-20T08:15:00+0200', '2026-11-20T08:15:00+02:00'],
  ['{{ strptime(value, "%H:%M", "none") }}', 'soon', 'none'],
])('%s of %j is %s', (source, value, wanted) => {
  expect(made(source, value)).toBe(wanted);
});

// Each of them made its text before it asked whether it may.
test.each([
  "{{ '%.100000000d' % 1 }}",
  "{{ '%.100000000x' % 1 }}",
  "{{ '%-9999999s' % 1 }}",
  "{{ '1'.zfill(900000000) }}",
  "{{ 'a'.strip(value * 20) }}",
  "{{ 'a' | trim(value * 20) }}",
  '{{ value * 100000 }}',
  "{{ (value * 2000) | regex_replace('', value) }}",
  "{{ (value * 2000) | regex_replace('(.+)', '\\\\1' * 1000) }}",
  `{{ (value * 2000)${' | base64_encode'.repeat(20)} }}`,
])('%s is refused before its text is made', async (source) => {
  let said = '';
  const steps = await countSteps(() => {
    said = made(source, 'x'.repeat(100));
  });
  expect(said).toMatch(/^(?:outside|budget): /);
  expect(steps).toBeLessThan(5_000_000);
});
