import type { TurnQueue } from '#base/turn-queue.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { CommandId } from './command.ts';
import type { Device, DeviceId } from '#core/device/device.ts';

/** What one command still has to do at one device. */
export type Errand = {
  readonly commandId: CommandId;
  readonly deviceId: DeviceId;
  /** Throws HubError where the command's issuer may not ask this of the device any more. */
  readonly authorize: (device: Device) => void;
  /** Monotonic time by which the device must have said something new; `undefined` until it was sent. */
  quietUntilMs?: number;
  /** Monotonic time after which it is not waited for, whatever the device says. */
  lastMs?: number;
  /** Waits for the device to wake. */
  isParked: boolean;
  stopTimer: () => void;
  /** Lets the device's next errand go ahead, whatever became of the sending of this one. */
  endTurn: () => void;
};

/** The unfinished errands at each device, oldest first, and whose turn it is there. */
export type Errands = {
  readonly at: (deviceId: DeviceId) => readonly Errand[];
  readonly all: () => readonly Errand[];
  readonly add: (errand: Errand) => void;
  readonly remove: (errand: Errand) => void;
  /** Runs this after all that was to be run at the device before. */
  readonly inTurn: (deviceId: DeviceId, task: () => Promise<void>) => Promise<void>;
  /** Ends every timer. */
  readonly clear: () => void;
};

export function createErrands(): Errands {
  const byDevice = new Map<DeviceId, Set<Errand>>();
  const turns = new Map<DeviceId, { readonly turn: TurnQueue; waiting: number }>();
  return {
    at: (deviceId) => [...(byDevice.get(deviceId) ?? [])],
    all: () => [...byDevice.values()].flatMap((errands) => [...errands]),
    add: (errand) => {
      const errands = byDevice.get(errand.deviceId) ?? new Set();
      byDevice.set(errand.deviceId, errands.add(errand));
    },
    remove: (errand) => {
      errand.stopTimer();
      errand.endTurn();
      const errands = byDevice.get(errand.deviceId);
      errands?.delete(errand);
      if (errands?.size === 0) byDevice.delete(errand.deviceId);
    },
    inTurn: async (deviceId, task) => {
      const queue = turns.get(deviceId) ?? { turn: createTurnQueue(), waiting: 0 };
      turns.set(deviceId, queue);
      queue.waiting += 1;
      try {
        await queue.turn(task);
      } finally {
        queue.waiting -= 1;
        if (queue.waiting === 0) turns.delete(deviceId);
      }
    },
    clear: () => {
      for (const errands of byDevice.values()) {
        for (const { stopTimer, endTurn } of errands) {
          stopTimer();
          endTurn();
        }
      }
      byDevice.clear();
    },
  };
}
