import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import type { DeviceCommand } from '#core/command/command-sender.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { Agenda } from './agenda.ts';
import { type Dice, type SimulatedDevice, type Step, type Values, between } from './simulated-device.ts';

/** What can be heard of a device. */
export type Voice = Pick<DeviceSink, 'reportValues' | 'reportOccurrence' | 'reportAvailability'>;

/** One device as it is at the moment. */
export type Occupant = {
  /** Says how it is and what it is set to. */
  readonly introduce: () => void;
  readonly startHabits: () => void;
  readonly hears: () => boolean;
  /** Throws HubError DEVICE_OFFLINE where it does not hear. */
  readonly perform: (command: DeviceCommand) => void;
  /** Forgets what it was about to do; the agenda is to be cleared with it. */
  readonly rest: () => void;
};

export type OccupantDeps = {
  readonly device: SimulatedDevice;
  readonly agenda: Agenda;
  readonly clock: Clock;
  readonly random: Dice;
  /** `undefined` while nobody listens or the way is cut: the device lives on unheard. */
  readonly voice: () => Voice | undefined;
};

/** A step to come. Its keys are taken out when something newer decides over them. */
type Pending = { readonly dueMs: number; readonly values: Map<string, JsonValue> };

export function createOccupant({ device, agenda, clock, random, voice }: OccupantDeps): Occupant {
  const { externalId } = device.description;
  const values = new Map(device.initial);
  const pending = new Set<Pending>();
  let availability = usualAvailability(device);

  const tellValues = (told: Values): void => {
    if (told.size > 0) voice()?.reportValues(externalId, rounded(device, told));
  };
  const tellAvailability = (): void => voice()?.reportAvailability(externalId, availability.state, availability.reason);

  const show = (step: Step, shown: Values): void => {
    for (const [key, value] of shown) values.set(key, value);
    if (step.availability !== undefined) {
      availability = step.availability;
      tellAvailability();
    }
    if (availability.state !== 'online') return;
    // One that comes back says all that it is: what was missed meanwhile is in there.
    tellValues(step.availability === undefined ? shown : values);
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
  /** What an earlier command would still do later, to features that these steps are about, will not happen. */
  const dropOutdated = (steps: readonly Step[]): void => {
    for (const { afterMs, values: decided } of steps) {
      const fromMs = clock.monotonicMs() + afterMs;
      for (const entry of pending) {
        if (entry.dueMs >= fromMs) for (const key of decided?.keys() ?? []) entry.values.delete(key);
      }
    }
  };

  return {
    introduce: () => {
      // What one that sleeps has said last is known as well.
      if (availability.state !== 'offline') tellValues(values);
      tellAvailability();
    },
    startHabits: () => {
      for (const { everyMs, live } of device.habits) {
        const again = (): void =>
          agenda.add(between(everyMs, random), () => {
            schedule(live(values, random));
            again();
          });
        again();
      }
    },
    // One that sleeps hears of it when it wakes.
    hears: () => availability.state !== 'offline',
    perform: (command) => {
      if (availability.state !== 'online') throw new HubError('DEVICE_OFFLINE', 'The device does not answer.');
      const steps = device.react(command, values, random);
      dropOutdated(steps);
      schedule(steps);
    },
    rest: () => {
      pending.clear();
      availability = usualAvailability(device);
    },
  };
}

function usualAvailability({ isSleepy }: SimulatedDevice): { state: AvailabilityState; reason: string | null } {
  return isSleepy === true ? { state: 'asleep', reason: 'asleep' } : { state: 'online', reason: null };
}

/** Devices count in steps: what is told is the nearest one. */
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
