import { isJsonObject, type JsonObject, objectOf, parseJson } from '#base/json.ts';
import { createOnceLog } from '#base/log.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { readAnnouncement } from './announcement.ts';
import { createDeviceRun, type DeviceRun } from './device-run.ts';
import type { DeviceTopics } from './device-topics.ts';

/** The devices that announce themselves, until they are taken back. */
export type Announced = ReturnType<typeof createAnnounced>;

type AnnouncedDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly sink: DeviceSink;
  readonly topics: DeviceTopics;
  readonly publish: (topic: string, payload: string) => Promise<void>;
};

type Held = {
  config: JsonObject | undefined;
  sensors: JsonObject;
  run: DeviceRun | undefined;
  stopGathering: (() => void) | undefined;
};

/** A home has fewer; a broker that names more is not to be believed. */
const MAX_DEVICES = 500;
const MAX_BYTES = 64 * 1024;
/** A device announces what it is and what it measures in two messages. */
const GATHER_MS = 300;
const PATH = /^([0-9A-Fa-f]{12})\/(config|sensors)$/;

export function createAnnounced({ sink, topics, publish, startTimer, log }: AnnouncedDeps) {
  const held = new Map<string, Held>();
  const inTurn = createTurnQueue();
  let isOver = false;
  const excess = createOnceLog(log);

  const describe = async (mac: string, own: Held): Promise<void> => {
    const announcement = readAnnouncement(own.config);
    const isGone = (): boolean => isOver || held.get(mac) !== own;
    if (isGone() || announcement?.mac !== mac) return;
    const known = own.run;
    if (known !== undefined) {
      const before = known.announcement().topics;
      if (!known.renew(announcement, own.sensors)) return;
      const isElsewhere = JSON.stringify(before) !== JSON.stringify(announcement.topics);
      if (isElsewhere) topics.unlisten(known);
      if (!(await sink.describeDevice(known.shown().description)) || isGone()) return;
      if (isElsewhere) topics.listen(known);
      known.reportAll();
      topics.ask(known);
      return;
    }
    const onOnline = (): void => topics.ask(run);
    const run: DeviceRun = createDeviceRun(announcement, own.sensors, { sink, publish, startTimer, onOnline });
    if (!(await sink.describeDevice(run.shown().description)) || isGone()) return;
    own.run = run;
    sink.reportAvailability(mac, 'unknown', 'no_report');
    topics.listen(run);
  };
  const forget = async (mac: string): Promise<void> => {
    const own = held.get(mac);
    own?.stopGathering?.();
    if (own?.run !== undefined) topics.unlisten(own.run);
    held.delete(mac);
    await sink.removeDevice(mac);
  };
  return {
    find: (mac: string): DeviceRun | undefined => held.get(mac)?.run,
    has: (mac: string): boolean => held.has(mac),
    runs: (): readonly DeviceRun[] => [...held.values()].flatMap(({ run }) => run ?? []),
    /** Takes what stands under the discovery topic: `A0B1C2D3E4F5/config`. */
    take: (path: string, payload: Buffer): void => {
      const [, address, part] = PATH.exec(path) ?? [];
      if (address === undefined) return;
      const mac = address.toLowerCase();
      if (payload.byteLength === 0) {
        if (part === 'config') void inTurn(() => forget(mac));
        return;
      }
      const value = payload.byteLength > MAX_BYTES ? undefined : parseJson(payload.toString('utf8'));
      if (!isJsonObject(value)) return;
      const own = held.get(mac) ?? { config: undefined, sensors: {}, run: undefined, stopGathering: undefined };
      if (!held.has(mac) && held.size >= MAX_DEVICES) {
        return excess.tell('more devices announce themselves than a home has', { most: MAX_DEVICES });
      }
      held.set(mac, own);
      if (part === 'config') own.config = value;
      else own.sensors = objectOf(value['sn']);
      own.stopGathering ??= startTimer(GATHER_MS, () => {
        own.stopGathering = undefined;
        void inTurn(() => describe(mac, own));
      });
    },
    /** Leaves no timer. Resolves when nothing is being described any more. */
    stop: async (): Promise<void> => {
      isOver = true;
      for (const { stopGathering } of held.values()) stopGathering?.();
      await inTurn(async () => undefined);
    },
  };
}
