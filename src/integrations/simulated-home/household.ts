import { HubError } from '#base/hub-error.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { type AgendaDeps, createAgenda } from './agenda.ts';
import { INVENTORY, BATTERY, BRIGHTNESS, IDENTIFY, ON, place, WHITES } from './inventory.ts';
import { type Occupant, type Voice, createOccupant } from './occupant.ts';
import { type Dice, type SimulatedDevice, featureOf } from './simulated-device.ts';
import { meterHabit, motionHabit } from './habits.ts';
import { reactAsLight, reactAsPlug } from './payload.ts';

/** Receives the reports of the devices, and is called when the link to all of them is cut or restored. */
type HouseholdListener = Voice & { readonly onLink: (isUp: boolean) => void };

/** The simulated world outside the hub. */
export type Household = ReturnType<typeof createHousehold>;

type HouseholdDeps = AgendaDeps & {
  readonly random: Dice;
  /** Addresses of devices that were paired before the hub's restart. */
  readonly joined?: readonly string[];
};

export function createHousehold(deps: HouseholdDeps) {
  const agenda = createAgenda(deps);
  let listener: HouseholdListener | undefined;
  let isLinkUp = true;
  const all = [...INVENTORY, ...NEWCOMERS];
  const devices = all.filter(
    (device) => INVENTORY.includes(device) || deps.joined?.includes(device.description.externalId) === true,
  );
  /** Occupants whose habits run. Those of removed devices go on, but their reports are dropped. */
  const living = new Set<Occupant>();
  const voiceOf = (device: SimulatedDevice) => (): Voice | undefined =>
    isLinkUp && devices.includes(device) ? listener : undefined;
  const occupants = new Map(
    all.map((device) => [
      device.description.externalId,
      createOccupant({ ...deps, device, agenda, voice: voiceOf(device) }),
    ]),
  );
  const present = (): readonly Occupant[] =>
    devices.map(({ description }) => occupants.get(description.externalId)).filter((one) => one !== undefined);
  const settleIn = (occupant: Occupant): void => {
    occupant.introduce();
    if (!living.has(occupant)) occupant.startHabits();
    living.add(occupant);
  };

  return {
    /** The devices that are in the home now. */
    devices,
    /** The devices that could be paired: new ones, and removed ones. */
    absent: (): readonly SimulatedDevice[] =>
      [...NEWCOMERS, ...INVENTORY].filter((device) => !devices.includes(device)),
    join: (device: SimulatedDevice): void => {
      const occupant = occupants.get(device.description.externalId);
      if (occupant === undefined || devices.includes(device)) return;
      devices.push(device);
      if (listener !== undefined) settleIn(occupant);
    },
    /** Removes a device. Throws HubError DEVICE_OFFLINE for an unreachable one, unless `force` is set. */
    leave: (externalId: string, force: boolean): void => {
      const place = devices.findIndex(({ description }) => description.externalId === externalId);
      if (place === -1) return;
      if (!force && occupants.get(externalId)?.isReachable() !== true) {
        throw new HubError('DEVICE_OFFLINE', 'The device does not answer.');
      }
      devices.splice(place, 1);
    },
    /** Starts the simulation and reports all values. The result ends it and leaves no timer. */
    listen: (next: HouseholdListener): (() => void) => {
      listener = next;
      for (const occupant of present()) settleIn(occupant);
      return () => {
        listener = undefined;
        agenda.clear();
        living.clear();
        for (const occupant of occupants.values()) occupant.rest();
      };
    },
    /**
     * Carries out a command. Throws HubError INTEGRATION_DOWN while the link is cut, DEVICE_OFFLINE if the device is
     * unreachable.
     */
    perform: (command: DeviceCommand): void => {
      if (!isLinkUp || listener === undefined)
        throw new HubError('INTEGRATION_DOWN', 'The simulated home cannot be reached.');
      const occupant = occupants.get(command.externalId);
      const isIn = devices.some(({ description }) => description.externalId === command.externalId);
      if (occupant === undefined || !isIn)
        throw new HubError('NOT_FOUND', 'There is no such device in the simulated home.');
      occupant.perform(command);
    },
    isLinkUp: (): boolean => isLinkUp,
    /** Cuts or restores the link to all devices, to show how a hub behaves when it loses its radio. */
    setLink: (isUp: boolean): void => {
      if (isUp === isLinkUp) return;
      isLinkUp = isUp;
      listener?.onLink(isUp);
      if (isUp) for (const occupant of present()) occupant.introduce();
    },
  };
}

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
