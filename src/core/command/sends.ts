import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { CommandId } from './command.ts';

/** A send is the part of one command that one device still has to get. */
export type Send = {
  readonly commandId: CommandId;
  readonly deviceId: DeviceId;
  /** Throws HubError if the command's issuer may not request this of the device any more. */
  readonly authorize: (device: Device) => void;
  /** Monotonic time by which the device must report something new; `undefined` until the command was sent. */
  quietUntilMs?: number;
  /** Monotonic time at which the wait ends, even if the device still reports progress. */
  lastMs?: number;
  /** Waits for the device to wake. */
  isParked: boolean;
  stopTimer: () => void;
  /** Lets the device's next send begin, even if this one has not ended. */
  endTurn: () => void;
};

/** The pending sends of each device, oldest first, and the turns in which they go out. */
export function createSends() {
  const byDevice = new Map<DeviceId, Set<Send>>();
  const turns = new Map<DeviceId, { readonly turn: TurnQueue; waiting: number }>();
  return {
    at: (deviceId: DeviceId): readonly Send[] => [...(byDevice.get(deviceId) ?? [])],
    all: (): readonly Send[] => [...byDevice.values()].flatMap((pending) => [...pending]),
    add: (pending: Send): void => {
      const others = byDevice.get(pending.deviceId) ?? new Set();
      byDevice.set(pending.deviceId, others.add(pending));
    },
    remove: (pending: Send): void => {
      pending.stopTimer();
      pending.endTurn();
      const others = byDevice.get(pending.deviceId);
      others?.delete(pending);
      if (others?.size === 0) byDevice.delete(pending.deviceId);
    },
    /** Runs the task after all earlier ones of this device. */
    inTurn: async (deviceId: DeviceId, task: () => Promise<void>): Promise<void> => {
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
    /** Ends every timer and turn. */
    clear: (): void => {
      for (const pending of byDevice.values()) {
        for (const { stopTimer, endTurn } of pending) {
          stopTimer();
          endTurn();
        }
      }
      byDevice.clear();
    },
  };
}
