import type { Clock } from '#base/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/timer.ts';
import type { DeviceCommand } from '#core/command-sender.ts';
import { createAgenda } from './agenda.ts';
import { INVENTORY } from './inventory.ts';
import { type Voice, createOccupant } from './occupant.ts';
import type { Dice, SimulatedDevice } from './simulated-device.ts';

/** Whoever listens to the household hears what its devices say, and when the way to all of them is cut or mended. */
export type HouseholdListener = Voice & { readonly onLink: (isUp: boolean) => void };

/** The world outside the hub. */
export type Household = {
  readonly devices: readonly SimulatedDevice[];
  /** Starts life and says how everything is; the result ends life and leaves no timer. */
  readonly listen: (listener: HouseholdListener) => () => void;
  /** Tells a device what to do. Throws HubError INTEGRATION_DOWN without a way to it, DEVICE_OFFLINE where it does not hear. */
  readonly perform: (command: DeviceCommand) => void;
  /** Cuts or mends the way to all devices: how a hub behaves without its radio can be seen with no radio at all. */
  readonly setLink: (isUp: boolean) => void;
};

export type HouseholdDeps = { readonly clock: Clock; readonly startTimer: StartTimer; readonly random: Dice };

export function createHousehold(deps: HouseholdDeps): Household {
  const agenda = createAgenda(deps);
  let listener: HouseholdListener | undefined;
  let isLinkUp = true;
  const voice = (): Voice | undefined => (isLinkUp ? listener : undefined);
  const occupants = new Map(
    INVENTORY.map((device) => [device.description.externalId, createOccupant({ ...deps, device, agenda, voice })]),
  );

  return {
    devices: INVENTORY,
    listen: (who) => {
      listener = who;
      for (const occupant of occupants.values()) {
        occupant.introduce();
        occupant.startHabits();
      }
      return () => {
        listener = undefined;
        agenda.clear();
        for (const occupant of occupants.values()) occupant.rest();
      };
    },
    perform: (command) => {
      if (voice() === undefined) throw new HubError('INTEGRATION_DOWN', 'The simulated home cannot be reached.');
      const occupant = occupants.get(command.externalId);
      if (occupant === undefined) throw new HubError('NOT_FOUND', 'There is no such device in the simulated home.');
      occupant.perform(command);
    },
    setLink: (isUp) => {
      if (isUp === isLinkUp) return;
      isLinkUp = isUp;
      listener?.onLink(isUp);
      if (isUp) for (const occupant of occupants.values()) occupant.introduce();
    },
  };
}
