import { meterHabit, motionHabit } from './habits.ts';
import { BATTERY, BRIGHTNESS, IDENTIFY, ON, place, WHITES } from './inventory.ts';
import { reactAsLight, reactAsPlug } from './payload.ts';
import { featureOf, type SimulatedDevice } from './simulated-device.ts';

/** New devices that join the home once they are paired. Like real ones they have their address as name. */
export const NEWCOMERS: readonly SimulatedDevice[] = [
  place(
    { id: 'sim-00000000a1c7', name: 'sim-00000000a1c7', room: '', type: 'color_temperature_light' },
    {
      features: [ON, BRIGHTNESS, WHITES, IDENTIFY],
      initial: { on: true, brightness: 100, color_temperature: 2700 },
      react: reactAsLight,
    },
  ),
  place(
    { id: 'sim-00000000b2d8', name: 'sim-00000000b2d8', room: '', type: 'occupancy_sensor' },
    {
      features: [featureOf('motion'), featureOf('illuminance', { step: 1 }), BATTERY],
      initial: { motion: false, illuminance: 90, battery: 100 },
      habits: [motionHabit],
      isShy: true,
    },
  ),
  place(
    { id: 'sim-00000000c3e9', name: 'sim-00000000c3e9', room: '', type: 'on_off_plug_in_unit' },
    {
      features: [
        ON,
        featureOf('power', { step: 0.1 }),
        featureOf('energy', { step: 0.001 }),
        featureOf('voltage', { step: 0.1 }),
        featureOf('current', { step: 0.01 }),
      ],
      initial: { on: true, power: 40, energy: 0, voltage: 230, current: 0.17 },
      react: reactAsPlug,
      habits: [meterHabit],
    },
  ),
];
