import { isSameJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { type StartTimer, untilAborted } from '#base/time/timer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { OfferingReport } from '#core/integration/integration-report.ts';
import type { Places as Exposed } from '#core/integration/settings-shape.ts';
import { readTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { UTF_8 } from '#integrations/home-assistant-discovery/message/encoding.ts';
import type { HomePort, InstancePorts, MqttLink, MqttMessage } from '#integrations/ports.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { componentKey, type OfferedHere } from './messages.ts';
import { offeredId, type Places, placesOf } from './places.ts';
import { createPublisher, type Publisher } from './publisher.ts';
import { createWill } from './will.ts';
import {
  type CommandDoorDeps,
  createCommandDoor,
  type ReadCommand,
  refusal,
} from '#integrations/offering/command-door.ts';

type OfferingDeps = Pick<InstancePorts, 'clock' | 'startTimer' | 'random' | 'log' | 'home' | 'isStaying'> & {
  readonly instance: string;
  readonly link: MqttLink;
  readonly settings: OfferingSettings;
};

export type OfferingSettings = {
  readonly prefix: string;
  readonly birth_topic: string;
  readonly expose: Exposed;
  readonly token: string | null;
};

/** The broker has the subscriptions by then, and has repeated what it kept of an earlier run. */
const START_MS = 1_500;
/** All who offer something hear the birth message at once. */
const BIRTH_SPREAD_MS = 1_000;
/** The frame waits for 2 s for the end of a run. */
const LAST_WORDS_MS = 1_500;

/** Offers devices of the hub at a broker, as Home Assistant finds them there. */
export function createOffering(deps: OfferingDeps) {
  const { home, settings, link, startTimer, log, clock } = deps;
  const places = placesOf({ hubId: home.hubId, instance: deps.instance });
  const catalogue = createCatalogue({ home, places, prefix: settings.prefix, expose: settings.expose });
  const publisher = createPublisher({ ...deps, ...settings, places, messagesFor: catalogue.messagesFor });
  const openIntake = (apiToken: string | null): CommandIntake =>
    createCommandIntake({ ...deps, places, apiToken, find: catalogue.find, monotonicMs: clock.monotonicMs });
  /** As they are now. */
  let own: Pick<OfferingSettings, 'expose' | 'token'> = settings;
  let intake = openIntake(settings.token);
  const all = (): readonly string[] => [...new Set([...catalogue.ids(), ...publisher.keptIds()])];
  const will = createWill({ link, places, startTimer, log });
  const timers = createTimers(startTimer);

  const sendAll = (): void => {
    publisher.forgetSent();
    publisher.mark(all());
    publisher.setReady(true);
  };
  const onMessage = createReader({
    settings,
    places,
    publisher,
    onCommand: (message) => intake.take(message),
    onBirth: () => timers.start(deps.random() * BIRTH_SPREAD_MS, sendAll),
  });

  const end = createEnding({ ...deps, catalogue, publisher, will, all });

  return {
    /** Until the signal aborts. What was offered is taken back first if the instance does not stay. */
    run: async (signal: AbortSignal): Promise<void> => {
      const ending = new AbortController();
      const stopFollowing = home.follow((event) => follow(event, { catalogue, publisher, places, link, log }));
      link.subscribe([`${settings.prefix}/device/+/config`, settings.birth_topic, places.commandFilter]);
      const running = link.run(
        {
          onUp: () => {
            will.setUp(true);
            timers.start(START_MS, sendAll);
          },
          onDown: () => {
            will.setUp(false);
            timers.stop();
            publisher.setReady(false);
          },
          onMessage,
        },
        ending.signal,
      );
      await untilAborted(signal);
      stopFollowing();
      timers.stop();
      await end();
      publisher.stop();
      will.stop();
      ending.abort();
      await running;
    },
    /** Offers others, with the rights of another token. No message is lost meanwhile. */
    take: (next: Pick<OfferingSettings, 'expose' | 'token'>): void => {
      const before = own;
      own = next;
      if (next.token !== before.token) intake = openIntake(next.token);
      if (!isSameJson(next.expose, before.expose)) publisher.mark(catalogue.choose(next.expose));
    },
    report: (): OfferingReport => {
      const { accepted, refused, lastError } = intake.counts();
      return {
        ...catalogue.counts(),
        commands: accepted,
        refused,
        error: publisher.lastError() ?? will.lastError() ?? lastError,
      };
    },
  };
}

type ReaderDeps = {
  readonly settings: OfferingSettings;
  readonly places: Places;
  readonly publisher: Pick<Publisher, 'noteKept'>;
  readonly onCommand: CommandIntake['take'];
  readonly onBirth: () => void;
};

function createReader({ settings, places, publisher, onCommand, onBirth }: ReaderDeps): (message: MqttMessage) => void {
  return (message) => {
    const { topic, payload, retained } = message;
    if (topic === settings.birth_topic) {
      if (!retained && payload.toString() === 'online') onBirth();
      return;
    }
    const found = readTopic(topic, settings.prefix);
    if (found === undefined) {
      if (payload.length > 0) onCommand(message);
      return;
    }
    const id = offeredId(found, places.node);
    const text = id === undefined || payload.length === 0 ? undefined : UTF_8.decode(payload);
    if (id !== undefined && text !== undefined) publisher.noteKept(id, text);
  };
}

type FollowDeps = {
  readonly catalogue: Catalogue;
  readonly publisher: Pick<Publisher, 'mark'>;
  readonly places: Places;
  readonly link: Pick<MqttLink, 'publish'>;
  readonly log: Log;
};

function follow(event: HomeEvent, { catalogue, publisher, places, link, log }: FollowDeps): void {
  if (event.type !== 'feature.occurred') return publisher.mark(catalogue.take(event));
  const offered = catalogue.findByDevice(event.device.id);
  const component = offered?.components.find(({ eventKey }) => eventKey === event.key);
  if (offered === undefined || component === undefined) return;
  // Not kept: who comes later must not take it for a new press.
  link
    .publish(
      places.stateTopic(offered.id, componentKey(component)),
      JSON.stringify({ event_type: event.occurrence.action }),
    )
    .catch((cause: unknown) => log.debug('a press was not sent', { cause }));
}

/** One timer at a time. */
function createTimers(startTimer: StartTimer) {
  let stopTimer: (() => void) | undefined;
  const stop = (): void => {
    stopTimer?.();
    stopTimer = undefined;
  };
  return {
    stop,
    start: (afterMs: number, run: () => void): void => {
      stop();
      stopTimer = startTimer(afterMs, run);
    },
  };
}

type EndingDeps = Pick<OfferingDeps, 'isStaying' | 'startTimer'> & {
  readonly catalogue: Pick<Catalogue, 'close'>;
  readonly publisher: Pick<Publisher, 'mark' | 'settled'>;
  readonly will: Pick<ReturnType<typeof createWill>, 'say'>;
  readonly all: () => readonly string[];
};

/** The last words of a run: that the hub is away, or that nothing is offered any more. */
function createEnding({ isStaying, startTimer, catalogue, publisher, will, all }: EndingDeps): () => Promise<void> {
  return async () => {
    const late = new AbortController();
    const stopPatience = startTimer(LAST_WORDS_MS, () => late.abort());
    if (isStaying()) await will.say('offline', late.signal);
    else {
      const ids = all();
      catalogue.close();
      publisher.mark(ids);
      await publisher.settled(late.signal);
      await will.say('', late.signal);
    }
    stopPatience();
  };
}

type CommandIntake = ReturnType<typeof createCommandIntake>;

type CommandIntakeDeps = Omit<CommandDoorDeps, 'from' | 'home'> & {
  readonly home: Pick<HomePort, 'command' | 'findDevice'>;
  readonly places: Places;
  readonly find: (id: string) => OfferedHere | undefined;
};

const MAX_BYTES = 4_096;

/** Commands that come over MQTT, from whatever may publish there. */
function createCommandIntake(deps: CommandIntakeDeps) {
  const { home, places } = deps;
  const door = createCommandDoor({ ...deps, from: 'over MQTT' });

  const readCommand = ({ topic, payload, retained }: MqttMessage): ReadCommand => {
    if (retained) throw refusal('RETAINED', 'A command that the broker kept is old: publish commands without retain.');
    const place = places.readCommandTopic(topic);
    const offered = place && deps.find(place.id);
    const component = offered?.components.find((one) => componentKey(one) === place?.component);
    const read = component?.commands.get(`${place?.setting ?? ''}_topic`);
    const device = offered && home.findDevice(offered.device);
    if (read === undefined || device === undefined) throw refusal('NOT_FOUND', 'Nothing like this is offered.');
    const text = payload.length > MAX_BYTES ? undefined : UTF_8.decode(payload);
    return { device, asked: text === undefined ? undefined : read(text) };
  };

  return {
    /** Carries out a command, or refuses it. Never throws for what a message says. */
    take: (message: MqttMessage): void => void door.take(() => readCommand(message)),
    counts: door.counts,
  };
}
