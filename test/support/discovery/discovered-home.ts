import type { JsonValue } from '#base/json.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Feature } from '#core/feature/feature.ts';
import { createAnnouncedDevices } from '#integrations/home-assistant-discovery/announced-devices.ts';
import { createDelays } from '#integrations/home-assistant-discovery/delays.ts';
import type { Publication, Report } from '#integrations/home-assistant-discovery/entity/entity.ts';
import { messageOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';
import { publicationsOf } from '#integrations/home-assistant-discovery/home-assistant-discovery.ts';
import {
  liveDeviceFrom,
  type LiveDevice,
  type LiveDeviceDeps,
} from '#integrations/home-assistant-discovery/live-device.ts';
import { TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { readTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { atOnce, inlineDeps } from '#test/support/discovery/inline-templates.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** One home that hears messages without a broker. A feature is named by its source and capability. */
export type DiscoveredHome = ReturnType<typeof createDiscoveredHome>;

export function createDiscoveredHome() {
  const { log } = createRecordingLog();
  const announced = createAnnouncedDevices({ log, isLeftOut: () => false });
  const devices = new Map<string, LiveDevice>();
  const values = new Map<string, JsonValue>();
  const fresh = new Set<string>();
  const occurrences: unknown[] = [];
  const stale = new Set<string>();
  const time = createStillTime();
  const delays = createDelays(time.startTimer, ({ externalId, key }, what) => {
    const device = devices.get(externalId);
    if (what === 'stale') stale.add(nameIn(device, key));
    else note(device, key, { value: false });
  });
  const features = (): readonly Feature[] => [...devices.values()].flatMap(({ description }) => description.features);
  const nameIn = (device: LiveDevice | undefined, key: string): string => {
    const feature = device?.description.features.find((one) => one.key === key);
    return nameOf(feature?.source ?? '', feature?.capability ?? '');
  };
  const note = (device: LiveDevice | undefined, key: string, said: Report): void => {
    if (said === undefined || 'refused' in said) return;
    const name = nameIn(device, key);
    stale.delete(name);
    if ('value' in said) {
      values.set(name, said.value);
      if (said.value === null) fresh.delete(name);
      else fresh.add(name);
    } else occurrences.push(said.occurrence);
  };
  const announce = (topic: string, payload: Buffer, place: NonNullable<ReturnType<typeof readTopic>>): void => {
    for (const id of announced.take(place, { topic, payload, retained: false })) {
      const parts = announced.find(id);
      if (parts === undefined) devices.delete(id);
      else {
        const deps: LiveDeviceDeps = {
          ...inlineDeps(),
          delay: (key, what, afterMs) => delays.set({ externalId: id, key }, what, afterMs),
        };
        devices.set(id, liveDeviceFrom(parts, deps));
      }
    }
  };
  return {
    values,
    fresh,
    /** Values that are too old, by source and capability. */
    stale,
    advance: time.advance,
    occurrences,
    features,
    publish: (topic: string, payload: unknown): void => {
      const bytes = bytesOf(payload);
      const place = readTopic(topic, 'homeassistant');
      if (place !== undefined) return announce(topic, bytes, place);
      const message = messageOf(bytes);
      for (const device of devices.values()) {
        for (const filter of device.topics) {
          if (!matches(filter, topic)) continue;
          for (const read of device.readersOf(filter)) {
            const said = atOnce(device.templates.run(() => read(message)));
            if (said !== undefined) note(device, ...said);
          }
        }
      }
    },
    featureOf: (source: string, capability: string) =>
      features().find((feature) => feature.source === source && feature.capability === capability),
    isAvailable: () => [...devices.values()].some((device) => device.isAvailable() === true),
    /** What a command for these capabilities of one source sends; `undefined` if the hub refuses it. */
    command: (
      source: string,
      wishes: readonly (readonly [string, JsonValue])[],
      transitionMs: number | null,
    ): readonly Publication[] | undefined => {
      for (const device of devices.values()) {
        const entity = [...device.byKey.values()].find(({ parts }) => parts[0]?.feature.source === source);
        if (entity === undefined) continue;
        const byKey = wishes.map(([capability, value]) => {
          const part = entity.parts.find(({ feature }) => feature.capability === capability);
          return [part?.feature.key ?? '', value] as const;
        });
        if (byKey.some(([key]) => !device.byKey.has(key))) return undefined;
        try {
          const sent = atOnce(device.templates.run(() => publicationsOf(entity, new Map(byKey), transitionMs)));
          return typeof sent === 'string' ? undefined : sent;
        } catch (cause) {
          if (cause instanceof TemplateFault) return undefined;
          throw cause;
        }
      }
      return undefined;
    },
  };
}

/** A text, JSON, or bytes as `{"base64": …}`. */
function bytesOf(payload: unknown): Buffer {
  if (typeof payload === 'string') return Buffer.from(payload);
  const { base64 } = (payload ?? {}) as { readonly base64?: unknown };
  return typeof base64 === 'string' ? Buffer.from(base64, 'base64') : Buffer.from(JSON.stringify(payload));
}

/** Time that passes only when told so. */
function createStillTime(): { readonly startTimer: StartTimer; readonly advance: (ms: number) => void } {
  let nowMs = 0;
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  return {
    startTimer: (afterMs, run) => {
      const timer = { dueMs: nowMs + afterMs, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (ms) => {
      nowMs += ms;
      for (const timer of [...timers].filter(({ dueMs }) => dueMs <= nowMs)) {
        timers.delete(timer);
        timer.run();
      }
    },
  };
}

export function nameOf(source: string, capability: string): string {
  return `${source} ${capability}`;
}

function matches(filter: string, topic: string): boolean {
  const pattern = filter
    .replaceAll(/[.*?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('+', '[^/]*')
    .replace('#', '.*');
  return new RegExp(`^${pattern}$`).test(topic);
}
