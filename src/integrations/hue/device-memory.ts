import type { JsonValue } from '#base/json.ts';
import type { Sent } from './payload.ts';

/** What the hub remembers of one device between two of its reports. */
export type DeviceMemory = {
  /** The last value of each feature. */
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly sent: Map<string, Sent>;
  /** When the bridge took what was sent, in monotonic milliseconds; until it is reported. */
  readonly awaited: Map<string, number>;
  /** The bridge's time of the last occurrence of each button. */
  readonly updated: Map<string, string>;
  /** Notes values that are being reported. */
  readonly keep: (values: ReadonlyMap<string, JsonValue>) => void;
};

type DeviceMemories = {
  readonly of: (externalId: string) => DeviceMemory;
  readonly forget: (isGone: (externalId: string) => boolean) => void;
  readonly isAwaiting: () => boolean;
  /** Waits no longer for reports of what the bridge took before this moment. */
  readonly endWaits: (beforeMs: number) => void;
};

export function createDeviceMemories(): DeviceMemories {
  const memories = new Map<string, DeviceMemory>();
  return {
    of: (externalId) => {
      const known = memories.get(externalId);
      if (known !== undefined) return known;
      const memory = createMemory();
      memories.set(externalId, memory);
      return memory;
    },
    forget: (isGone) => {
      for (const externalId of memories.keys()) if (isGone(externalId)) memories.delete(externalId);
    },
    isAwaiting: () => [...memories.values()].some(({ awaited }) => awaited.size > 0),
    endWaits: (beforeMs) => {
      for (const { awaited } of memories.values()) {
        for (const [key, takenMs] of awaited) if (takenMs < beforeMs) awaited.delete(key);
      }
    },
  };
}

function createMemory(): DeviceMemory {
  const values = new Map<string, JsonValue>();
  const awaited = new Map<string, number>();
  return {
    values,
    sent: new Map(),
    awaited,
    updated: new Map(),
    keep: (reported) => {
      for (const [key, value] of reported) {
        values.set(key, value);
        awaited.delete(key);
      }
    },
  };
}
