import type { Look, Names } from '#web/rule/sentence/look.ts';

const look = (key: string, given: Partial<Look> = {}): Look => ({
  key,
  name: key,
  capability: key,
  kind: 'state',
  value_type: 'boolean',
  unit: null,
  min: null,
  max: null,
  step: null,
  options: null,
  writable: false,
  ...given,
});
const FEATURES: Readonly<Record<string, Look>> = {
  motion: look('motion', { name: 'Motion' }),
  on: look('on', { name: 'On', writable: true }),
  open: look('open', { name: 'Contact' }),
  illuminance: look('illuminance', { name: 'Illuminance', value_type: 'number', unit: 'lx' }),
  temperature: look('temperature', { name: 'Temperature', value_type: 'number', unit: 'celsius' }),
  brightness: look('brightness', { name: 'Brightness', value_type: 'number', unit: 'percent', min: 0, max: 100 }),
  water_leak: look('water_leak', { name: 'Water leak' }),
  valve_open: look('valve_open', { name: 'Valve', writable: true }),
};
const NAMES: Readonly<Record<string, string>> = {
  'hall-motion': 'Hall motion',
  'hall-lux': 'Hall lux',
  'hall-lamp': 'Hall lamp',
  'water-valve': 'Water valve',
  'terrace-door': 'Terrace door',
  hall: 'Hall',
  remote: 'Remote',
  movie: 'Movie night',
  home: 'Home mode',
  ada: 'Ada',
};

/** The names of a small home. Each device has all features. */
export const names: Names = {
  nameOf: (_to, reference) => NAMES[reference],
  feature: (device, key) => (NAMES[device] === undefined ? undefined : FEATURES[key]),
  capability: (capability) => FEATURES[capability],
  mode: (key) => (key === 'home' ? look('home', { value_type: 'enum', options: ['home', 'night'] }) : undefined),
  variable: () => undefined,
};
