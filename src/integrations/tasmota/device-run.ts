import { HubError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson, type JsonObject, type JsonValue, parseJson } from '#base/json.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { createSendOrder } from '#integrations/peer/send-order.ts';
import { readSources, refuseUnfit, type Sent, writesOf } from '#integrations/peer/source.ts';
import { ANY_SENSOR } from '#integrations/tasmota/mapping/sensors.ts';
import type { Order } from '#integrations/tasmota/mapping/source.ts';
import { deviceFrom, type ShownDevice } from '#integrations/tasmota/mapping/tasmota-device.ts';
import type { Announcement } from './announcement.ts';

export type DeviceRun = ReturnType<typeof createDeviceRun>;

type DeviceRunDeps = {
  readonly sink: DeviceSink;
  readonly publish: (topic: string, payload: string) => Promise<void>;
  readonly startTimer: StartTimer;
  readonly onOnline: () => void;
};

const MAX_BYTES = 64 * 1024;
/** Half seconds that a fade takes, as the firmware counts. */
const SLOWEST = 40;
/** Reports of how everything is have one of these; the answer to a command has none. */
const REPORTS = ['Time', 'Wifi'];
/** A result topic of the firmware's older way, as `stat/…/POWER1`. */
const NAMED = /^(POWER|SHUTTER)\d*$/;

export function createDeviceRun(first: Announcement, sensors: JsonObject, deps: DeviceRunDeps) {
  const { sink, publish, startTimer } = deps;
  let announcement = first;
  let listed = sensors;
  let shown = deviceFrom(first, sensors);
  const said = createSaid(sink, () => shown);
  const sender = createSender((name, argument) => publish(announcement.topics.command + name, argument), startTimer);
  const takeWill = (word: string): void => {
    const { mac, words, isSleeper } = announcement;
    if (word === words.online) {
      sink.reportAvailability(mac, 'online', null);
      deps.onOnline();
    } else if (word === words.offline) {
      sender.fail(new HubError('DEVICE_OFFLINE', 'The device has gone.'));
      sink.reportAvailability(mac, isSleeper ? 'asleep' : 'offline', isSleeper ? 'sleeping' : 'last_will');
    }
  };
  return {
    announcement: (): Announcement => announcement,
    shown: (): ShownDevice => shown,
    /** It announced something of itself anew. True if that is something else. */
    renew: (next: Announcement, nextSensors: JsonObject): boolean => {
      if (isSameJson(listed, nextSensors) && JSON.stringify(announcement) === JSON.stringify(next)) return false;
      announcement = next;
      listed = nextSensors;
      shown = deviceFrom(next, nextSensors);
      return true;
    },
    /** Takes what the device says under a name: `STATE`, `RESULT`, `POWER1`, `LWT`. */
    take: (name: string, payload: Buffer, retained: boolean): void => {
      if (payload.byteLength > MAX_BYTES) return;
      const text = payload.toString('utf8');
      if (name === 'LWT') return takeWill(text);
      const value = parseJson(text);
      if (!isJsonObject(value)) {
        // A word by itself: `ON` under `POWER1`.
        if (NAMED.test(name)) said.learn({ [name]: text.slice(0, 100) }, retained);
        return;
      }
      if (value['Command'] === 'Unknown' || value['Command'] === 'Error') return sender.refused();
      const told = name.startsWith('STATUS') ? (value['StatusSNS'] ?? value['StatusSTS']) : value;
      if (!isJsonObject(told)) return;
      if (!retained) {
        said.happen(told);
        if (!REPORTS.some((member) => Object.hasOwn(told, member))) sender.answered(answersIn(told));
      }
      said.learn(told, retained);
    },
    send: async (command: DeviceCommand): Promise<SendEvidence> => {
      refuseUnfit(shown.description.features, command);
      const orders = new Map<string, Order>();
      for (const { source, write, value } of writesOf(command, shown.sources)) {
        const { key } = source.feature;
        const order = write(value);
        orders.set(key, order);
        if (key !== command.action) said.expect(key, { value, echo: order.echo ?? value });
      }
      return sender.send({ orders, fade: fadeOf(command.transitionMs, announcement) });
    },
    reportAll: said.reportAll,
    fail: sender.fail,
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

const MAX_NAMES = 200;

/** A device says things, and the hub learns from them. */
export function createSaid(sink: DeviceSink, shown: () => ShownDevice) {
  const known = new Map<string, JsonValue>();
  const sent = new Map<string, Sent>();
  const report = (changed: ReadonlySet<string> | null, isKept: boolean): void => {
    const { sources, description } = shown();
    const { externalId } = description;
    const meant = sources.filter(
      ({ names }) => changed === null || names.some((name) => name === ANY_SENSOR || changed.has(name)),
    );
    const values = readSources(meant, ({ read }) => read?.(known), { sink, externalId, sent });
    if (values.size === 0) return;
    if (isKept) sink.reportKeptValues(externalId, values);
    else sink.reportValues(externalId, values);
  };
  return {
    /** `isKept`: the broker kept it, so nobody knows how old it is. */
    learn: (told: JsonObject, isKept: boolean): void => {
      const changed = new Set<string>();
      for (const [name, value] of Object.entries(told)) {
        if (known.size >= MAX_NAMES && !known.has(name)) continue;
        known.set(name, value);
        // One output under two names, as it is set: what it said last under either counts.
        const other = name === 'POWER' ? 'POWER1' : name === 'POWER1' ? 'POWER' : undefined;
        if (other !== undefined) known.delete(other);
        changed.add(name);
      }
      report(changed, isKept);
    },
    happen: (told: JsonObject): void => {
      const { sources, description } = shown();
      for (const { feature, names, readEvent } of sources) {
        const [name = ''] = names;
        const value = Object.hasOwn(told, name) ? told[name] : undefined;
        const occurrence = isJsonObject(value) ? readEvent?.(value) : undefined;
        if (occurrence !== undefined) sink.reportOccurrence(description.externalId, feature.key, occurrence);
      }
    },
    /** A report that reads as the echo means this value. */
    expect: (key: string, one: Sent): void => void sent.set(key, one),
    /** Reports all of it, as after the features have changed. */
    reportAll: (): void => report(null, true),
  };
}

/** The orders of one command, by the keys of their features, and the commands that make it fade. */
type Sending = { readonly orders: ReadonlyMap<string, Order>; readonly fade: readonly string[] };

/** Devices answer within 0.1 s, and say nothing of what they are asked while they start. */
const ANSWER_MS = 2_000;

/** One command at a time: answers name what they are about, and not which command they are for. */
function createSender(publish: (name: string, argument: string) => Promise<void>, startTimer: StartTimer) {
  type Waiting = { readonly answeredBy: string; readonly settle: (end: SendEvidence | Error) => void };
  let waiting: Waiting | undefined;
  let failure: HubError | undefined;

  const transmit = async ({ orders, fade }: Sending): Promise<SendEvidence> => {
    if (failure !== undefined) throw failure;
    const commands = [...orders.values()].flatMap((order) => order.commands);
    const answer = new Promise<SendEvidence>((resolve, reject) => {
      const stopTimer = startTimer(ANSWER_MS, () => waiting?.settle('transport_ack'));
      waiting = {
        answeredBy: [...orders.values()].at(-1)?.answeredBy ?? '',
        settle: (end) => {
          stopTimer();
          waiting = undefined;
          if (typeof end === 'string') resolve(end);
          else reject(end);
        },
      };
    });
    // It may fail before anybody waits for it.
    answer.catch(() => undefined);
    try {
      const [only] = commands;
      if (only !== undefined && commands.length === 1 && fade.length === 0) await publish(...only);
      else await publish('Backlog0', [...fade, ...commands.map(([name, argument]) => `${name} ${argument}`)].join(';'));
    } catch (cause) {
      waiting?.settle(cause as Error);
    }
    return answer;
  };
  const order = createSendOrder({
    send: transmit,
    // About the same features.
    merge: (earlier, later) => ([...earlier.orders.keys()].every((key) => later.orders.has(key)) ? later : undefined),
  });
  return {
    /** Resolves once the device has answered, or once it is clear that it will not. Throws HubError. */
    send: (sending: Sending): Promise<SendEvidence> => {
      failure = undefined;
      return order(sending);
    },
    /** Takes the names in an answer of the device. */
    answered: (names: Iterable<string>): void => {
      for (const name of names) if (name === waiting?.answeredBy) return waiting.settle('device_ack');
    },
    /** The device did not understand what was sent last. */
    refused: (): void => waiting?.settle(new HubError('COMMAND_FAILED', 'The device does not know this command.')),
    /** Fails what waits. */
    fail: (error: HubError): void => {
      failure = error;
      waiting?.settle(error);
    },
  };
}
