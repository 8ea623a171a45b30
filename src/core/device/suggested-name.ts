import type { DeviceDescription, DeviceType } from './device.ts';

/** The everyday word for each type of device. The page uses the same words. */
export const TYPE_WORDS: Readonly<Record<Exclude<DeviceType, 'other'>, string>> = {
  on_off_light: 'Lamp',
  dimmable_light: 'Lamp',
  color_temperature_light: 'Lamp',
  extended_color_light: 'Lamp',
  on_off_plug_in_unit: 'Plug',
  window_covering: 'Blind',
  door_lock: 'Lock',
  thermostat: 'Thermostat',
  fan: 'Fan',
  contact_sensor: 'Door or window sensor',
  occupancy_sensor: 'Motion sensor',
  temperature_sensor: 'Temperature sensor',
  humidity_sensor: 'Humidity sensor',
  light_sensor: 'Light sensor',
  water_leak_detector: 'Leak sensor',
  smoke_co_alarm: 'Smoke alarm',
  air_quality_sensor: 'Air quality sensor',
  generic_switch: 'Remote',
  water_valve: 'Water valve',
  electrical_sensor: 'Energy meter',
  siren: 'Siren',
};

type Subject = Pick<DeviceDescription, 'type' | 'manufacturer' | 'model'>;

function wordsFor({ type, manufacturer, model }: Subject): string {
  if (type !== 'other') return TYPE_WORDS[type];
  return [manufacturer, model].filter((word) => word !== null).join(' ') || 'Device';
}

/** Whether the hub could have suggested this name for such a device, with any number. */
export function isSuggestedName(name: string, device: Subject): boolean {
  const words = wordsFor(device);
  return name === words || (name.startsWith(`${words} `) && /^[1-9]\d*$/.test(name.slice(words.length + 1)));
}

/** Suggests names for devices that have only an address: `Lamp`, `Lamp 2`. Never a name in use, never one twice. */
export function createNameSource(namesInUse: Iterable<string>): (device: Subject) => string {
  const used = new Set(namesInUse);
  // The search goes on from the last number, so that ten thousand lamps do not try ten thousand names each.
  const lastNumber = new Map<string, number>();
  return (device) => {
    const words = wordsFor(device);
    let name = words;
    let number = lastNumber.get(words) ?? 1;
    while (used.has(name)) {
      number += 1;
      name = `${words} ${number}`;
    }
    lastNumber.set(words, number);
    used.add(name);
    return name;
  };
}
