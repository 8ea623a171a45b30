// First, because it counts only code that is loaded after it.
import { countSteps } from '#test/support/attack/work-count.ts';
import { expect, test } from 'vitest';
import { renderTemplate, variablesOfPayload } from '#test/support/discovery/render-template.ts';

test.each([
  "{% set ns = namespace(l=[1]) %}{% for i in range(2000) %}{% set ns.l = ns.l|map('int') %}{% endfor %}{{ ns.l|list }}",
  "{% set ns = namespace(l=[1]) %}{% for i in range(1500) %}{% set ns.l = ns.l|map('int')|select %}{% endfor %}{{ ns.l|list }}",
])('filters within filters beyond the stack are a fault of the template: %s', (source) => {
  expect(renderTemplate(source, new Map())).toMatchObject({ fault: 'budget' });
});

/** At noon of 20 November 2026 in a home an hour east of Greenwich. */
const NOON = { nowMs: () => Date.UTC(2026, 10, 20, 11), zoneOffset: () => 60 };

function made(source: string, value = ''): string {
  const result = renderTemplate(source, variablesOfPayload(value), NOON);
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
  ['{{ (now() - as_datetime(value)).total_seconds() }}', '2026-11-20T10:59:00Z', '60.0'],
  ['{{ strptime(value, "%d.%m.%Y %H:%M") }}', '20.11.2026 08:15', '2026-11-20 08:15:00'],
  ['{{ strptime(value, "%Y-%m-%dT%H:%M:%S%z").isoformat() }}', '2026-11-20T08:15:00+0200', '2026-11-20T08:15:00+02:00'],
  ['{{ strptime(value, "%H:%M", "none") }}', 'soon', 'none'],
  // A time without a zone is one of the home.
  [
    '{{ as_timestamp(strptime(value, "%Y-%m-%dT%H:%M:%S")) | timestamp_custom("%d-%m-%Y %H:%M") }}',
    '2026-11-20T08:15:00',
    '20-11-2026 08:15',
  ],
  // A name of Home Assistant's home that the template gives to something of its own.
  ['{% set states = {0: "off", 2: "standby"} %}{{ states.get(value | int(-1)) }}', '2', 'standby'],
  [
    '{% for (key, text) in [(1, "one"), (2, "two")] %}{% if key == value | int %}{{ text }}{% endif %}{% endfor %}',
    '2',
    'two',
  ],
  [
    '{% set modes = {"a": "auto"} %}{{ modes[value_json.m] if value_json.m in modes.keys() else "off" }}',
    '{"n":1}',
    'off',
  ],
  ['{{ today_at("07:30") }}', '', "outside: 'today_at' is not supported"],
  ['{{ value | slugify }}', 'a', 'outside: the filter slugify is not supported'],
  ['{{ value.swapcase() }}', 'a', "outside: 'swapcase' of a str is not supported"],
])('%s of %j is %s', (source, value, wanted) => {
  expect(made(source, value)).toBe(wanted);
});

// Each of them made its text before it asked whether it may.
test.each([
  "{{ '%.100000000d' % 1 }}",
  "{{ '%.100000000x' % 1 }}",
  "{{ '%-9999999s' % 1 }}",
  "{{ '1'.zfill(900000000) }}",
  '{{ value * 100000 }}',
  "{{ (value * 2000) | regex_replace('', value) }}",
  "{{ (value * 2000) | regex_replace('(.+)', '\\\\1' * 1000) }}",
])('%s is refused before its text is made', async (source) => {
  let said = '';
  const steps = await countSteps(() => {
    said = made(source, 'x'.repeat(100));
  });
  expect(said).toMatch(/^(?:outside|budget): /);
  expect(steps).toBeLessThan(5_000_000);
});

test('each of many long texts that are made and shown nowhere costs its length', () => {
  const source = '{{ value[value * 2500] }}'.repeat(1_000);
  expect(made(source, 'x'.repeat(100))).toBe('budget: the template takes too many steps');
});
