// What a simulated bridge has. Made after public dumps of real bridges; no code of the vendor.
import { createHash } from 'node:crypto';

export const BRIDGE_ID = '001788fffe01a0b0';
export const MAC = '00178801a0b0';
export const uid = (text) => {
  const hex = createHash('sha1').update(`sim${text}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
/** By id. */
export const R = new Map();
export const add = (r) => {
  R.set(r.id, r);
  return r;
};
export const ref = (r) => ({ rid: r.id, rtype: r.type });
const GAMUT_C = { red: { x: 0.6915, y: 0.3083 }, green: { x: 0.17, y: 0.7 }, blue: { x: 0.1532, y: 0.0475 } };
let n1 = 0;

export function device([name, model, product, archetype], services, extra = {}) {
  const d = add({
    id: uid('device' + name),
    id_v1: extra.id_v1,
    type: 'device',
    product_data: {
      model_id: model,
      manufacturer_name: 'Signify Netherlands B.V.',
      product_name: product,
      product_archetype: archetype,
      certified: true,
      software_version: '1.122.8',
      hardware_platform_type: '100b-112',
    },
    metadata: { name, archetype },
    identify: {},
    services: [],
  });
  for (const [type, body, tag = ''] of services) {
    const s = add({ id: uid(type + name + tag), id_v1: d.id_v1, owner: ref(d), ...body, type });
    d.services.push(ref(s));
  }
  const z = add({
    id: uid('zigbee' + name),
    id_v1: d.id_v1,
    owner: ref(d),
    status: 'connected',
    mac_address: `00:17:88:01:0b:00:00:${(0x10 + ++n1).toString(16)}`,
    type: 'zigbee_connectivity',
    ...extra.zigbee,
  });
  d.services.push(ref(z));
  add({ id: uid('dsu' + name), owner: ref(d), state: 'no_update', problems: [], type: 'device_software_update' });
  d.services.push({ rid: uid('dsu' + name), rtype: 'device_software_update' });
  if (!d.id_v1) delete d.id_v1;
  return d;
}
export function light(name, archetype, { dim, ct, color, gradient, on = false } = {}) {
  const l = {
    metadata: { name, archetype, function: 'mixed' },
    product_data: { function: 'mixed' },
    identify: {},
    service_id: 0,
    on: { on },
    mode: 'normal',
    dynamics: {
      status: 'none',
      status_values: color ? ['none', 'dynamic_palette'] : ['none'],
      speed: 0,
      speed_valid: false,
    },
    alert: { action_values: ['breathe'] },
    signaling: { signal_values: ['no_signal', 'on_off'] },
    powerup: { preset: 'safety', configured: true, on: { mode: 'on', on: { on: true } } },
  };
  if (dim) Object.assign(l, { dimming: { brightness: 80.5, min_dim_level: 0.2 }, dimming_delta: {} });
  if (ct)
    Object.assign(l, {
      color_temperature: { mirek: 366, mirek_valid: true, mirek_schema: { mirek_minimum: 153, mirek_maximum: ct } },
      color_temperature_delta: {},
    });
  if (color)
    Object.assign(l, {
      color: { xy: { x: 0.4573, y: 0.41 }, gamut: GAMUT_C, gamut_type: 'C' },
      effects: {
        status_values: ['no_effect', 'candle', 'fire', 'prism'],
        status: 'no_effect',
        effect_values: ['no_effect', 'candle', 'fire', 'prism'],
      },
      effects_v2: {
        action: { effect_values: ['no_effect', 'candle', 'fire'] },
        status: { effect: 'no_effect', effect_values: ['no_effect', 'candle', 'fire'] },
      },
      timed_effects: {
        status_values: ['no_effect', 'sunrise'],
        status: 'no_effect',
        effect_values: ['no_effect', 'sunrise'],
      },
    });
  if (gradient)
    l.gradient = {
      points: [],
      mode: 'interpolated_palette',
      points_capable: 5,
      mode_values: ['interpolated_palette', 'random_pixelated'],
      pixel_count: 16,
    };
  return ['light', l];
}
const button = (n) => [
  'button',
  {
    metadata: { control_id: n },
    button: {
      last_event: 'short_release',
      button_report: { updated: '2026-11-01T10:00:00.000Z', event: 'short_release' },
      repeat_interval: 800,
      event_values: ['initial_press', 'repeat', 'short_release', 'long_release', 'long_press'],
    },
  },
  String(n),
];
const power = (level) => [
  'device_power',
  { power_state: { battery_state: level > 15 ? 'normal' : 'low', battery_level: level } },
];

const bridgeDev = device(
  ['Hue Bridge', 'BSB002', 'Hue Bridge', 'bridge_v2'],
  [
    ['bridge', { bridge_id: BRIDGE_ID, time_zone: { time_zone: 'Europe/Vienna' } }],
    ['zigbee_device_discovery', { status: 'ready' }],
  ],
  { zigbee: { channel: { status: 'set', value: 'channel_25' }, extended_pan_id: '0011223344556677' } },
);
const sofa = device(
  ['Sofa', 'LCA001', 'Hue color lamp', 'sultan_bulb'],
  [light('Sofa', 'sultan_bulb', { dim: 1, ct: 500, color: 1, on: true })],
  { id_v1: '/lights/1' },
);
const desk = device(
  ['Desk', 'LTA004', 'Hue white ambiance', 'table_shade'],
  [light('Desk', 'table_shade', { dim: 1, ct: 454 })],
  { id_v1: '/lights/2' },
);
const hall = device(['Hall', 'LWA017', 'Hue white lamp', 'classic_bulb'], [light('Hall', 'classic_bulb', { dim: 1 })], {
  id_v1: '/lights/3',
});
const plug = device(['Plug', 'LOM007', 'Hue smart plug', 'plug'], [light('Plug', 'plug')], { id_v1: '/lights/4' });
const strip = device(
  ['TV strip', 'LCX004', 'Hue gradient lightstrip', 'hue_lightstrip_tv'],
  [light('TV strip', 'hue_lightstrip_tv', { dim: 1, ct: 500, color: 1, gradient: 1 })],
  { id_v1: '/lights/5' },
);
device(
  ['Stairs sensor', 'SML003', 'Hue motion sensor', 'unknown_archetype'],
  [
    [
      'motion',
      {
        enabled: true,
        motion: {
          motion: false,
          motion_valid: true,
          motion_report: { changed: '2026-11-01T10:00:00.000Z', motion: false },
        },
        sensitivity: { status: 'set', sensitivity: 2, sensitivity_max: 4 },
      },
    ],
    [
      'temperature',
      {
        enabled: true,
        temperature: {
          temperature: 21.35,
          temperature_valid: true,
          temperature_report: { changed: '2026-11-01T10:00:00.000Z', temperature: 21.35 },
        },
      },
    ],
    [
      'light_level',
      {
        enabled: true,
        light: {
          light_level: 12000,
          light_level_valid: true,
          light_level_report: { changed: '2026-11-01T10:00:00.000Z', light_level: 12000 },
        },
      },
    ],
    power(88),
  ],
  { id_v1: '/sensors/10' },
);
device(
  ['Front door', 'SOC001', 'Hue secure contact sensor', 'unknown_archetype'],
  [
    ['contact', { enabled: true, contact_report: { changed: '2026-11-01T10:00:00.000Z', state: 'contact' } }],
    [
      'tamper',
      { tamper_reports: [{ changed: '2026-11-01T10:00:00.000Z', source: 'battery_door', state: 'not_tampered' }] },
    ],
    power(97),
  ],
);
device(
  ['Dimmer', 'RWL022', 'Hue dimmer switch', 'unknown_archetype'],
  [button(1), button(2), button(3), button(4), power(12)],
  { id_v1: '/sensors/20' },
);
device(
  ['Tap dial', 'RDM002', 'Hue tap dial switch', 'unknown_archetype'],
  [
    button(1),
    button(2),
    button(3),
    button(4),
    [
      'relative_rotary',
      {
        relative_rotary: {
          last_event: { action: 'start', rotation: { direction: 'clock_wise', steps: 30, duration: 400 } },
          rotary_report: {
            updated: '2026-11-01T10:00:00.000Z',
            action: 'start',
            rotation: { direction: 'clock_wise', steps: 30, duration: 400 },
          },
        },
      },
    ],
    power(100),
  ],
  { id_v1: '/sensors/30' },
);

export const lightsOf = (g) =>
  g.children.flatMap((c) =>
    c.rtype === 'light'
      ? [R.get(c.rid)]
      : c.rtype === 'device'
        ? R.get(c.rid)
            .services.filter((s) => s.rtype === 'light')
            .map((s) => R.get(s.rid))
        : lightsOf(R.get(c.rid)),
  );
export function group([type, name, archetype], children, id_v1) {
  const g = add({
    id: uid(type + name),
    id_v1,
    children: children.map(ref),
    services: [],
    ...(type === 'bridge_home' ? {} : { metadata: { name, archetype } }),
    type,
  });
  const gl = add({
    id: uid('grouped' + type + name),
    id_v1,
    owner: ref(g),
    on: { on: false },
    dimming: { brightness: 0 },
    dimming_delta: {},
    color_temperature: {},
    color_temperature_delta: {},
    color: {},
    alert: { action_values: ['breathe'] },
    signaling: { signal_values: ['no_signal', 'on_off'] },
    dynamics: {},
    type: 'grouped_light',
  });
  g.services.push(ref(gl));
  return g;
}
/** Further lamps in a room of their own, for commands to many. */
export function addHall(count) {
  const lamps = Array.from({ length: count }, (_, i) =>
    device(
      [`Hall ${i + 1}`, 'LTA004', 'Hue white ambiance', 'sultan_bulb'],
      [light(`Hall ${i + 1}`, 'sultan_bulb', { dim: 1, ct: 454 })],
    ),
  );
  group(['room', 'Great hall', 'hallway'], lamps);
  for (const r of R.values()) for (const k of ['id_v1']) if (r[k] === undefined) delete r[k];
}
const living = group(['room', 'Living room', 'living_room'], [sofa, strip, plug], '/groups/81');
const office = group(['room', 'Office', 'office'], [desk, hall], '/groups/82');
group(
  ['zone', 'Upstairs', 'upstairs'],
  [sofa, hall].map((d) => R.get(d.services.find((s) => s.rtype === 'light').rid)),
  '/groups/83',
);
group(['bridge_home', 'home', ''], [living, office, bridgeDev], '/groups/0');
const scene = (name, g, act) =>
  add({
    id: uid('scene' + name),
    id_v1: '/scenes/' + uid(name).slice(0, 8),
    actions: lightsOf(g).map((l) => ({ target: ref(l), action: act(l) })),
    metadata: { name, image: { rid: uid('img'), rtype: 'public_image' } },
    group: ref(g),
    palette: { color: [], dimming: [], color_temperature: [], effects: [] },
    speed: 0.5,
    auto_dynamic: false,
    status: { active: 'inactive' },
    recall: {},
    type: 'scene',
  });
scene('Relax', living, (l) => ({
  on: { on: true },
  ...(l.dimming ? { dimming: { brightness: 56.7 } } : {}),
  ...(l.color_temperature ? { color_temperature: { mirek: 447 } } : {}),
}));
scene('Off', office, () => ({ on: { on: false } }));
add({
  id: uid('smart'),
  metadata: { name: 'Natural light' },
  group: ref(living),
  week_timeslots: [],
  active_timeslot: { timeslot_id: 1, weekday: 'monday' },
  state: 'inactive',
  transition_duration: 60000,
  type: 'smart_scene',
});
add({ id: uid('homekit'), status: 'unpaired', status_values: ['pairing', 'paired', 'unpaired'], type: 'homekit' });
add({ id: uid('geo'), is_configured: false, type: 'geolocation' });
for (const r of R.values()) if (r.id_v1 === undefined) delete r.id_v1;
