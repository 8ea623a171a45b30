import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { BridgedEndpoint, ToNode } from './node-message.ts';

/** The endpoints as the node has them. It gets only what is otherwise, and several changes at once. */
export type SentEndpoints = ReturnType<typeof createSentEndpoints>;

type SentEndpointsDeps = {
  readonly startTimer: StartTimer;
  readonly of: (device: DeviceId) => readonly BridgedEndpoint[];
  readonly send: (message: ToNode) => void;
};

const GATHER_MS = 50;

export function createSentEndpoints({ startTimer, of, send }: SentEndpointsDeps) {
  const sent = new Map<string, string>();
  /** The endpoints of each device that the node has. */
  const ids = new Map<DeviceId, ReadonlySet<string>>();
  const due = new Set<DeviceId>();
  const repeats = new Map<DeviceId, () => void>();
  let stopTimer: (() => void) | undefined;

  const bring = (device: DeviceId, isForced: boolean): void => {
    const endpoints = of(device);
    const now = new Set(endpoints.map(({ id }) => id));
    for (const id of ids.get(device) ?? []) {
      if (now.has(id)) continue;
      sent.delete(id);
      send({ type: 'remove', id });
    }
    if (now.size > 0) ids.set(device, now);
    else ids.delete(device);
    for (const endpoint of endpoints) {
      const text = JSON.stringify(endpoint);
      if (!isForced && sent.get(endpoint.id) === text) continue;
      sent.set(endpoint.id, text);
      send({ type: 'put', endpoint });
    }
  };
  const flush = (): void => {
    stopTimer = undefined;
    for (const device of due) bring(device, false);
    due.clear();
  };

  return {
    /** A node begins with those of these devices, which are the result. */
    reset: (devices: Iterable<DeviceId>): readonly BridgedEndpoint[] => {
      sent.clear();
      ids.clear();
      return [...devices].flatMap((device) => {
        const endpoints = of(device);
        ids.set(device, new Set(endpoints.map(({ id }) => id)));
        for (const endpoint of endpoints) sent.set(endpoint.id, JSON.stringify(endpoint));
        return endpoints;
      });
    },
    mark: (devices: readonly DeviceId[]): void => {
      for (const device of devices) due.add(device);
      if (due.size > 0) stopTimer ??= startTimer(GATHER_MS, flush);
    },
    /** Sends them again later, also if nothing is otherwise: a controller may have written something that does not hold. */
    repeat: (device: DeviceId, afterMs: number): void => {
      repeats.get(device)?.();
      const stopRepeat = startTimer(afterMs, () => {
        repeats.delete(device);
        bring(device, true);
      });
      repeats.set(device, stopRepeat);
    },
    stop: (): void => {
      stopTimer?.();
      for (const stopRepeat of repeats.values()) stopRepeat();
      repeats.clear();
      due.clear();
    },
  };
}
