import { expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import { createDiscoveredHome } from '#test/support/discovery/discovered-home.ts';

const TOPICS = { stat_t: 's', cmd_t: 'c' };
const JSON_LIGHT = { ...TOPICS, schema: 'json', effect: true, effect_list: ['rainbow'] };
const TEMPLATE_LIGHT = {
  ...TOPICS,
  schema: 'template',
  cmd_on_tpl: 'on',
  cmd_off_tpl: 'off',
  stat_tpl: '{{ value_json.on }}',
  clr_temp_tpl: '{{ value_json.warmth }}',
  r_tpl: '{{ value_json.r }}',
  g_tpl: '{{ value_json.r }}',
  b_tpl: '{{ value_json.r }}',
};

/** What publishers say once they do not know any more, as Home Assistant reads it. */
test.each<[string, object, known: unknown, capability: string, value: JsonValue, unknown: unknown]>([
  ['binary_sensor', TOPICS, 'ON', 'x.it', true, 'None'],
  ['switch', TOPICS, 'ON', 'on', true, 'None'],
  ['device_tracker', TOPICS, 'home', 'presence', true, 'None'],
  ['device_tracker', { ...TOPICS, pl_rst: 'gone' }, 'school', 'x.location', 'school', 'gone'],
  ['cover', TOPICS, 'closing', 'cover_state', 'close', 'None'],
  ['cover', { ...TOPICS, dev_cla: 'garage' }, 'closed', 'x.garage_movement', 'closed', 'None'],
  ['valve', TOPICS, 'open', 'valve_open', true, 'None'],
  ['valve', TOPICS, { state: 'opening' }, 'x.valve_movement', 'opening', { state: 'None' }],
  ['light', TOPICS, 'ON', 'on', true, 'None'],
  ['light', JSON_LIGHT, { state: 'ON' }, 'on', true, { state: null }],
  ['light', JSON_LIGHT, { state: 'ON', effect: 'rainbow' }, 'effect', 'rainbow', { state: 'ON', effect: null }],
  ['light', TEMPLATE_LIGHT, { on: 'on' }, 'on', true, { on: null }],
  ['light', TEMPLATE_LIGHT, { warmth: 250 }, 'color_temperature', 4_000, { warmth: null }],
  ['light', TEMPLATE_LIGHT, { r: 9 }, 'color', { hue: 0, saturation: 0 }, { r: null }],
  ['fan', { cmd_t: 'c', pct_stat_t: 's', pl_rst_pct: 'auto' }, '40', 'fan_speed', 40, 'auto'],
  [
    'fan',
    { cmd_t: 'c', pr_mode_stat_t: 's', pr_mode_cmd_t: 'p', pr_modes: ['eco'], pl_rst_pr_mode: 'no' },
    'eco',
    'preset',
    'eco',
    'no',
  ],
  ['humidifier', { cmd_t: 'c', hum_cmd_t: 'h', hum_stat_t: 's', pl_rst_hum: '?' }, '40', 'target_humidity', 40, '?'],
  ['humidifier', { cmd_t: 'c', hum_cmd_t: 'h', curr_hum_t: 's', pl_rst_hum: '?' }, '40', 'humidity', 40, '?'],
  [
    'humidifier',
    { cmd_t: 'c', hum_cmd_t: 'h', modes: ['dry'], mode_cmd_t: 'm', mode_stat_t: 's', pl_rst_mode: '?' },
    'dry',
    'preset',
    'dry',
    '?',
  ],
  ['climate', { mode_stat_t: 's', mode_cmd_t: 'm' }, 'heat', 'thermostat_mode', 'heat', 'None'],
  ['vacuum', TOPICS, { state: 'docked' }, 'vacuum_state', 'docked', { state: null }],
  ['lawn_mower', { act_stat_t: 's' }, 'mowing', 'x.mower_state', 'mowing', 'none'],
  ['siren', TOPICS, 'ON', 'siren', true, 'None'],
  ['lock', TOPICS, 'LOCKED', 'locked', true, 'None'],
])('a %s of %j knows nothing after its word for that', (...row) => {
  const [component, config, known, capability, value, unknown] = row;
  const { publish, values } = createDiscoveredHome();
  publish(`homeassistant/${component}/it/config`, { ...config, uniq_id: 'it', name: 'it', dev: { ids: 'box' } });
  const shown = (): unknown => [...values].find(([name]) => name.endsWith(` ${capability}`))?.[1];
  publish('s', known);
  expect(shown()).toEqual(value);
  publish('s', unknown);
  expect(shown()).toBeNull();
});

const MODE = { mode_stat_t: 's', mode_cmd_t: 'm' };
const plain = (word: string): unknown => word;
const WORDS: readonly (readonly [
  component: string,
  config: object,
  known: unknown,
  capability: string,
  say: typeof plain,
])[] = [
  ['alarm_control_panel', TOPICS, 'disarmed', 'arm_mode', plain],
  ['climate', MODE, 'heat', 'thermostat_mode', plain],
  ['climate', { ...MODE, mode_stat_t: 'o', act_t: 's' }, 'heating', 'thermostat_state', plain],
  ['cover', TOPICS, 'open', 'cover_state', plain],
  ['device_tracker', TOPICS, 'home', 'presence', plain],
  ['fan', TOPICS, 'ON', 'on', plain],
  ['humidifier', { cmd_t: 'c', hum_cmd_t: 'h', stat_t: 's' }, 'ON', 'on', plain],
  ['lawn_mower', { act_stat_t: 's' }, 'mowing', 'x.mower_state', plain],
  ['light', TOPICS, 'ON', 'on', plain],
  ['light', TEMPLATE_LIGHT, { on: 'on' }, 'on', (on) => ({ on })],
  ['number', TOPICS, '5', 'x.it', plain],
  ['select', { ...TOPICS, options: ['a'] }, 'a', 'x.it', plain],
  ['siren', TOPICS, 'ON', 'siren', plain],
  ['switch', TOPICS, 'ON', 'on', plain],
  ['vacuum', TOPICS, { state: 'docked' }, 'vacuum_state', (state) => ({ state })],
  ['valve', TOPICS, 'open', 'valve_open', plain],
  ['water_heater', MODE, 'eco', 'operation_mode', plain],
];

/** What a state is in Home Assistant while nobody knows it: publishers that pass states on have these words. */
test.each(WORDS.flatMap((row) => ['unknown', 'unavailable'].map((word) => [...row, word] as const)))(
  'a %s of %j that is %j as %s knows nothing after a state that Home Assistant has for that',
  (...[component, config, known, capability, say, word]) => {
    const { publish, values } = createDiscoveredHome();
    publish(`homeassistant/${component}/it/config`, { ...config, uniq_id: 'it', name: 'it', dev: { ids: 'box' } });
    const shown = (): unknown => [...values].find(([name]) => name.endsWith(` ${capability}`))?.[1];
    publish('s', known);
    const before = shown();
    publish('s', say(word));
    expect([before ?? 'nothing', shown()]).toEqual([before, null]);
  },
);

test.each(
  WORDS.filter(([component]) => ['alarm_control_panel', 'lawn_mower', 'vacuum'].includes(component)).map(
    (row) => [...row] as const,
  ),
)(
  'a %s of %j that is %j as %s is not known in a state of the future',
  (...[component, config, known, capability, say]) => {
    const { publish, values } = createDiscoveredHome();
    publish(`homeassistant/${component}/it/config`, { ...config, uniq_id: 'it', name: 'it', dev: { ids: 'box' } });
    publish('s', known);
    publish('s', say('of_the_future'));
    expect([...values].find(([name]) => name.endsWith(` ${capability}`))?.[1]).toBeNull();
  },
);
