import { HubError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject, parseJson } from '#base/json.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { Order } from '#integrations/tasmota/mapping/source.ts';
import { deviceFrom, type ShownDevice } from '#integrations/tasmota/mapping/tasmota-device.ts';
import type { Announcement } from './announcement.ts';
import { createSaid } from './said.ts';
import { createSendQueue } from './send-queue.ts';

/** One device, from its announcement until it is taken back. */
export type DeviceRun = {
  readonly announcement: () => Announcement;
  readonly shown: () => ShownDevice;
  /** It announced something of itself anew. True if that is something else. */
  readonly renew: (announcement: Announcement, sensors: JsonObject) => boolean;
  /** Takes what the device says under a name: `STATE`, `RESULT`, `POWER1`, `LWT`. */
  readonly take: (name: string, payload: Buffer, retained: boolean) => void;
  readonly send: (command: DeviceCommand) => Promise<SendEvidence>;
  /** Reports all that it has said. */
  readonly reportAll: () => void;
  readonly fail: (error: HubError) => void;
};

type DeviceRunDeps = {
  readonly sink: DeviceSink;
  readonly publish: (topic: string, payload: string) => Promise<void>;
  readonly startTimer: StartTimer;
  /** Called when the device has just come. */
  readonly onOnline: () => void;
};

const MAX_BYTES = 64 * 1024;
/** Half seconds that a fade takes, as the firmware counts. */
const SLOWEST = 40;
/** Reports of how everything is have one of these; the answer to a command has none. */
const REPORTS = ['Time', 'Wifi'];
/** A result topic of the firmware's older way, as `stat/…/POWER1`. */
const NAMED = /^(POWER|SHUTTER)\d*$/;

export function createDeviceRun(first: Announcement, sensors: JsonObject, deps: DeviceRunDeps): DeviceRun {
  const { sink, publish, startTimer } = deps;
  let announcement = first;
  let listed = sensors;
  let shown = deviceFrom(first, sensors);
  const said = createSaid(sink, () => shown);
  const queue = createSendQueue(
    (command, argument) => publish(announcement.topics.command + command, argument),
    startTimer,
  );
  const takeWill = (word: string): void => {
    const { mac, words, isSleeper } = announcement;
    if (word === words.online) {
      sink.reportAvailability(mac, 'online', null);
      deps.onOnline();
    } else if (word === words.offline) {
      queue.fail(new HubError('DEVICE_OFFLINE', 'The device has gone.'));
      sink.reportAvailability(mac, isSleeper ? 'asleep' : 'offline', isSleeper ? 'sleeping' : 'last_will');
    }
  };
  return {
    announcement: () => announcement,
    shown: () => shown,
    renew: (next, nextSensors) => {
      if (isSameJson(listed, nextSensors) && JSON.stringify(announcement) === JSON.stringify(next)) return false;
      announcement = next;
      listed = nextSensors;
      shown = deviceFrom(next, nextSensors);
      return true;
    },
    take: (name, payload, retained) => {
      if (payload.byteLength > MAX_BYTES) return;
      const text = payload.toString('utf8');
      if (name === 'LWT') return takeWill(text);
      const value = parseJson(text);
      if (!isJsonObject(value)) {
        // A word by itself: `ON` under `POWER1`.
        if (NAMED.test(name)) said.learn({ [name]: text.slice(0, 100) }, retained);
        return;
      }
      if (value['Command'] === 'Unknown' || value['Command'] === 'Error') return queue.refused();
      const told = name.startsWith('STATUS') ? (value['StatusSNS'] ?? value['StatusSTS']) : value;
      if (!isJsonObject(told)) return;
      if (!retained) {
        said.happen(told);
        if (!REPORTS.some((member) => Object.hasOwn(told, member))) queue.answered(answersIn(told));
      }
      said.learn(told, retained);
    },
    send: async (command) => {
      const { set, action, transitionMs } = command;
      const orders = new Map<string, Order>();
      // In the order of the features: what a person says of a switch counts more than what a brightness implies.
      for (const { feature, write } of shown.sources) {
        const value = feature.key === action ? null : set.get(feature.key);
        if (value === undefined || write === undefined) continue;
        const order = write(value);
        orders.set(feature.key, order);
        if (feature.key !== action) said.expect(feature.key, value, order.echo ?? value);
      }
      return queue.send(orders, fadeOf(transitionMs, announcement));
    },
    reportAll: said.reportAll,
    fail: queue.fail,
  };
}

/** A single output answers with or without its number. */
function* answersIn(told: JsonObject): Generator<string> {
  for (const name of Object.keys(told)) {
    yield name;
    if (name === 'POWER1') yield 'POWER';
    if (name === 'POWER') yield 'POWER1';
  }
}

/** The fade of this command only; without it the device fades as its owner has set it. */
function fadeOf(transitionMs: number | null, { lightChannels }: Announcement): readonly string[] {
  if (transitionMs === null || lightChannels === 0) return [];
  const halves = Math.min(SLOWEST, Math.round(transitionMs / 500));
  return halves === 0 ? ['Fade2 0'] : ['Fade2 1', `Speed2 ${halves}`];
}
