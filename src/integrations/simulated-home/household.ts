import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceCommand } from '#core/command/command-sender.ts';
import { createAgenda } from './agenda.ts';
import { INVENTORY } from './inventory.ts';
import { NEWCOMERS } from './newcomers.ts';
import { type Occupant, type Voice, createOccupant } from './occupant.ts';
import type { Dice, SimulatedDevice } from './simulated-device.ts';

/** Whoever listens to the household hears what its devices say, and when the way to all of them is cut or mended. */
export type HouseholdListener = Voice & { readonly onLink: (isUp: boolean) => void };

/** The world outside the hub. */
export type Household = {
  /** Those that are in the home now. */
  readonly devices: readonly SimulatedDevice[];
  /** Those that could be paired: new ones, and those that were taken out. */
  readonly absent: () => readonly SimulatedDevice[];
  readonly join: (device: SimulatedDevice) => void;
  /** Tells a device to leave. Throws HubError DEVICE_OFFLINE without `force` for one that does not hear. */
  readonly leave: (externalId: string, force: boolean) => void;
  /** Starts life and says how everything is; the result ends life and leaves no timer. */
  readonly listen: (listener: HouseholdListener) => () => void;
  /** Tells a device what to do. Throws HubError INTEGRATION_DOWN without a way to it, DEVICE_OFFLINE where it does not hear. */
  readonly perform: (command: DeviceCommand) => void;
  /** Cuts or mends the way to all devices: how a hub behaves without its radio can be seen with no radio at all. */
  readonly setLink: (isUp: boolean) => void;
  readonly isLinkUp: () => boolean;
};

export type HouseholdDeps = {
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly random: Dice;
  /** Addresses of those that were paired before the hub's restart. */
  readonly joined?: readonly string[];
};

export function createHousehold(deps: HouseholdDeps): Household {
  const agenda = createAgenda(deps);
  let listener: HouseholdListener | undefined;
  let isLinkUp = true;
  const all = [...INVENTORY, ...NEWCOMERS];
  const devices = all.filter(
    (device) => INVENTORY.includes(device) || deps.joined?.includes(device.description.externalId) === true,
  );
  /** Those whose habits run; what has left keeps them, unheard. */
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
    devices,
    absent: () => [...NEWCOMERS, ...INVENTORY].filter((device) => !devices.includes(device)),
    join: (device) => {
      const occupant = occupants.get(device.description.externalId);
      if (occupant === undefined || devices.includes(device)) return;
      devices.push(device);
      if (listener !== undefined) settleIn(occupant);
    },
    leave: (externalId, force) => {
      const place = devices.findIndex(({ description }) => description.externalId === externalId);
      if (place === -1) return;
      if (!force && occupants.get(externalId)?.hears() !== true) {
        throw new HubError('DEVICE_OFFLINE', 'The device does not answer.');
      }
      devices.splice(place, 1);
    },
    listen: (who) => {
      listener = who;
      for (const occupant of present()) settleIn(occupant);
      return () => {
        listener = undefined;
        agenda.clear();
        living.clear();
        for (const occupant of occupants.values()) occupant.rest();
      };
    },
    perform: (command) => {
      if (!isLinkUp || listener === undefined)
        throw new HubError('INTEGRATION_DOWN', 'The simulated home cannot be reached.');
      const occupant = occupants.get(command.externalId);
      const isIn = devices.some(({ description }) => description.externalId === command.externalId);
      if (occupant === undefined || !isIn)
        throw new HubError('NOT_FOUND', 'There is no such device in the simulated home.');
      occupant.perform(command);
    },
    isLinkUp: () => isLinkUp,
    setLink: (isUp) => {
      if (isUp === isLinkUp) return;
      isLinkUp = isUp;
      listener?.onLink(isUp);
      if (isUp) for (const occupant of present()) occupant.introduce();
    },
  };
}
