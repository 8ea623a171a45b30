import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { Agenda } from './agenda.ts';
import { type Dice, type SimulatedDevice, type Step, type Values, between } from './simulated-device.ts';

/** Where a device reports. */
export type Voice = Pick<DeviceSink, 'reportValues' | 'reportOccurrence' | 'reportAvailability'>;

export type Occupant = ReturnType<typeof createOccupant>;

type OccupantDeps = {
  readonly device: SimulatedDevice;
  readonly agenda: Agenda;
  readonly clock: Clock;
  readonly random: Dice;
  /** `undefined` while there is no listener or the link is cut: the simulation goes on without reports. */
  readonly voice: () => Voice | undefined;
};

/** A future step. A newer command removes the keys that it sets itself. */
type Pending = { readonly dueMs: number; readonly values: Map<string, JsonValue> };

export function createOccupant({ device, agenda, clock, random, voice }: OccupantDeps) {
  const { externalId } = device.description;
  const values = new Map(device.initial);
  const pending = new Set<Pending>();
  let availability = usualAvailability(device);

  const reportValues = (reported: Values): void => {
    if (reported.size > 0) voice()?.reportValues(externalId, rounded(device, reported));
  };
  const reportAvailability = (): void =>
    voice()?.reportAvailability(externalId, availability.state, availability.reason);

  const show = (step: Step, shown: Values): void => {
    for (const [key, value] of shown) values.set(key, value);
    if (step.availability !== undefined) {
      availability = step.availability;
      reportAvailability();
    }
    if (availability.state !== 'online') return;
    // A device that comes back reports all its values, including those that changed meanwhile.
    reportValues(step.availability === undefined ? shown : values);
    if (step.occurrence !== undefined) {
      voice()?.reportOccurrence(externalId, step.occurrence.key, step.occurrence.occurrence);
    }
  };
  const schedule = (steps: readonly Step[]): void => {
    for (const step of steps) {
      const entry = { dueMs: clock.monotonicMs() + step.afterMs, values: new Map(step.values) };
      pending.add(entry);
      agenda.add(step.afterMs, () => {
        pending.delete(entry);
        show(step, entry.values);
      });
    }
  };
  /** Removes the pending effects of earlier commands on the features that these steps set. */
  const dropOutdated = (steps: readonly Step[]): void => {
    for (const { afterMs, values: decided } of steps) {
      const fromMs = clock.monotonicMs() + afterMs;
      for (const entry of pending) {
        if (entry.dueMs >= fromMs) for (const key of decided?.keys() ?? []) entry.values.delete(key);
      }
    }
  };

  return {
    /** Reports its availability and all its values. */
    introduce: (): void => {
      // The last values of a sleeping device are known too.
      if (availability.state !== 'offline') reportValues(values);
      reportAvailability();
    },
    startHabits: (): void => {
      for (const { everyMs, live } of device.habits) {
        const again = (): void =>
          agenda.add(between(everyMs, random), () => {
            schedule(live(values, random));
            again();
          });
        again();
      }
    },
    // A sleeping device gets the message when it wakes.
    isReachable: (): boolean => availability.state !== 'offline',
    /** Throws HubError DEVICE_OFFLINE if the device is asleep or offline. */
    perform: (command: DeviceCommand): void => {
      if (availability.state !== 'online') throw new HubError('DEVICE_OFFLINE', 'The device does not answer.');
      const steps = device.react(command, values, random);
      dropOutdated(steps);
      schedule(steps);
    },
    /** Drops what it was about to do. To be called together with clearing the agenda. */
    rest: (): void => {
      pending.clear();
      availability = usualAvailability(device);
    },
  };
}

function usualAvailability({ isSleepy }: SimulatedDevice): { state: AvailabilityState; reason: string | null } {
  return isSleepy === true ? { state: 'asleep', reason: 'asleep' } : { state: 'online', reason: null };
}

/** Devices count in steps, and report the nearest one. */
function rounded(device: SimulatedDevice, values: Values): Values {
  const steps = new Map(device.description.features.map(({ key, step }) => [key, step ?? 0]));
  return new Map(
    [...values].map(([key, value]) => {
      const step = steps.get(key) ?? 0;
      if (typeof value !== 'number' || step === 0) return [key, value];
      return [key, Number((Math.round(value / step) * step).toFixed(4))];
    }),
  );
}
