import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { untilAborted } from '#base/time/timer.ts';
import { readTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { UTF_8 } from '#integrations/home-assistant-discovery/message/encoding.ts';
import type { HomePort, InstancePorts } from '#integrations/ports.ts';
import { offeredId, placesOf } from './places.ts';
import { createPublisher } from './publisher.ts';

/** Where something is offered: what was is known from there, because the broker keeps it. */
export type OfferedAt = { readonly broker: string; readonly prefix: string };

/** More than a person ever changes brokers before the old ones are cleared. */
const MAX_PLACES = 8;

export async function openOfferedPlaces(state: InstancePorts['state']) {
  const loaded: JsonObject = await state.load();
  let places = readPlaces(loaded['offered_at'] ?? null);
  const save = (): Promise<void> => state.save({ ...loaded, offered_at: places.map((place) => ({ ...place })) });
  return {
    all: (): readonly OfferedAt[] => places,
    /** On disk once resolved. To be called before anything is offered there. */
    add: async (place: OfferedAt): Promise<void> => {
      places = [place, ...places.filter((one) => !isSamePlace(one, place))].slice(0, MAX_PLACES);
      await save();
    },
    remove: async (place: OfferedAt): Promise<void> => {
      places = places.filter((one) => !isSamePlace(one, place));
      await save();
    },
  };
}

export function isSamePlace(left: OfferedAt, right: OfferedAt): boolean {
  return left.broker === right.broker && left.prefix === right.prefix;
}

function readPlaces(value: JsonValue): readonly OfferedAt[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isJsonObject(one)) return [];
    const { broker, prefix } = one;
    return typeof broker === 'string' && typeof prefix === 'string' ? [{ broker, prefix }] : [];
  });
}

type ClearingDeps = Pick<Runtime, 'startTimer' | 'log'> &
  Pick<InstancePorts, 'mqtt' | 'startTimer' | 'log'> & {
    readonly home: Pick<HomePort, 'hubId'>;
    readonly instance: string;
  };

/** The broker has repeated by then what it keeps. */
const QUIET_MS = 5_000;

/** Takes back what is offered at a place. Resolves with false if the signal aborts before all is gone. */
export async function clearPlace(
  { broker, prefix }: OfferedAt,
  { isStatusUsed, ...deps }: ClearingDeps & { readonly isStatusUsed: boolean },
  signal: AbortSignal,
): Promise<boolean> {
  const { startTimer, log } = deps;
  const places = placesOf({ hubId: deps.home.hubId, instance: deps.instance });
  const link = deps.mqtt(broker);
  const done = new AbortController();
  const ending = AbortSignal.any([done.signal, signal]);
  const publisher = createPublisher({ link, places, prefix, messagesFor: () => new Map(), startTimer, log });
  let stopTimer = (): void => undefined;
  const finish = async (): Promise<void> => {
    await publisher.settled(ending);
    if (!isStatusUsed) await link.publish(places.statusTopic, '', { retain: true });
    done.abort();
  };
  const waitForQuiet = (): void => {
    stopTimer();
    stopTimer = startTimer(QUIET_MS, () => {
      finish().catch((cause: unknown) => log.debug('clearing what was offered has to wait', { cause }));
    });
  };
  link.subscribe([`${prefix}/device/+/config`]);
  await link.run(
    {
      onUp: () => {
        publisher.setReady(true);
        waitForQuiet();
      },
      onDown: () => {
        stopTimer();
        publisher.setReady(false);
      },
      onMessage: ({ topic, payload }) => {
        const found = readTopic(topic, prefix);
        const id = found === undefined || payload.length === 0 ? undefined : offeredId(found, places.node);
        const text = id === undefined ? undefined : UTF_8.decode(payload);
        if (id === undefined || text === undefined) return;
        publisher.noteKept(id, text);
        waitForQuiet();
      },
    },
    ending,
  );
  await untilAborted(ending);
  stopTimer();
  publisher.stop();
  return done.signal.aborted;
}
