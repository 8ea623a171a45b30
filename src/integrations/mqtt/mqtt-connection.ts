import { readFile } from 'node:fs/promises';
import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { readBrokerUrl } from '#base/broker-url.ts';
import { isBrokerFault, type MqttFailure } from './mqtt-failure.ts';
import { openMqttLink } from './mqtt-link.ts';
import type { MqttMessage, MqttSession } from './mqtt-session.ts';

export type MqttSettings = {
  /** `mqtt://host[:port]` or `mqtts://host[:port]`. */
  readonly url: string;
  readonly user: string | null;
  /** Its first line is the password, read at each try, so that a new one needs no restart. */
  readonly passwordFile: string | null;
};

export type MqttListener = {
  /** Connected; what comes after is from this connection. The topics are being subscribed. */
  readonly onUp: () => void;
  /** Not connected: after each failed try and after each loss. */
  readonly onDown: (failure: MqttFailure) => void;
  readonly onMessage: (message: MqttMessage) => void;
};

/** A connection to one broker that heals itself. It has no memory: what cannot be sent now fails now. */
export type MqttConnection = {
  /** Connects, and again after each loss, until the signal aborts; then no socket or timer of it is left. */
  readonly run: (listener: MqttListener, signal: AbortSignal) => Promise<void>;
  /** Asks for these topics, now and after each reconnect; `remove` are asked for no longer. */
  readonly subscribe: (add: readonly string[], remove?: readonly string[]) => void;
  /** Resolves once the broker has it. Throws HubError INTEGRATION_DOWN, at once while not connected. */
  readonly publish: (topic: string, payload: string) => Promise<void>;
};

export type MqttDeps = {
  readonly settings: MqttSettings;
  readonly log: Log;
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
};

const RETRY = { minMs: 1_000, maxMs: 60_000 };
const NO_ADDRESS: MqttFailure = {
  code: 'INVALID_ADDRESS',
  message: 'The address of the MQTT broker must look like mqtt://192.168.1.2:1883',
};
const NO_PASSWORD: MqttFailure = {
  code: 'PASSWORD_UNREADABLE',
  message: 'The MQTT password cannot be read: give it anew, or correct mqtt.password_file',
};

export function createMqttConnection(deps: MqttDeps): MqttConnection {
  const { settings, log, startTimer, monotonicMs, random } = deps;
  const address = readBrokerUrl(settings.url);
  const topics = new Set<string>();
  const heard = createHeardTopics(topics);
  let live: MqttSession | null = null;

  const subscribeOn = (session: MqttSession, added: readonly string[]): void => {
    heard.forget(added);
    session.subscribe(added).catch((cause: unknown) => {
      // After a loss there is nothing to tell: the next session subscribes to all topics anyway.
      if (live === session) log.warn('the MQTT broker refuses a subscription', { cause });
    });
  };

  /** One session from its start to its end; the answer is why it ended. */
  const serve = async (listener: MqttListener, signal: AbortSignal): Promise<MqttFailure> => {
    if (address === undefined || address.port === 0) return NO_ADDRESS;
    const password = await readPassword(settings, log);
    if (password === undefined) return NO_PASSWORD;
    const session = openMqttLink({
      address,
      clientId: `hearthd-${Math.floor(random() * 2 ** 48).toString(16)}`,
      user: settings.user,
      password,
      startTimer,
      monotonicMs,
      signal,
      onConnect: () => {
        live = session;
        listener.onUp();
        subscribeOn(session, [...topics]);
      },
      onMessage: (message) => {
        if (heard.isOutdated(message)) return;
        try {
          listener.onMessage(message);
        } catch (cause) {
          log.error('a message could not be taken', { topic: message.topic, cause });
        }
      },
    });
    try {
      return await session.ended;
    } finally {
      live = null;
    }
  };

  return {
    run: async (listener, signal) => {
      const delays = createRetryDelays(RETRY, random);
      while (!signal.aborted) {
        let wasUp = false;
        const onUp = (): void => {
          wasUp = true;
          listener.onUp();
        };
        const failure = await serve({ ...listener, onUp }, signal);
        if (signal.aborted) return;
        // One that is there and breaks the rules will break them again.
        if (wasUp && !isBrokerFault(failure)) delays.reset();
        listener.onDown(failure);
        await waitMs(delays.nextMs(), startTimer, signal);
      }
    },
    subscribe: (add, remove = []) => {
      const removed = remove.filter((topic) => topics.delete(topic));
      const added = add.filter((topic) => !topics.has(topic));
      for (const topic of added) topics.add(topic);
      if (live === null) return;
      if (added.length > 0) subscribeOn(live, added);
      if (removed.length > 0) live.unsubscribe(removed);
    },
    publish: async (topic, payload) => {
      if (live === null) throw new HubError('INTEGRATION_DOWN', 'The MQTT broker is not connected.');
      try {
        await live.publish(topic, payload);
      } catch (cause) {
        throw new HubError('INTEGRATION_DOWN', 'The MQTT broker did not take the message.', { cause });
      }
    },
  };
}

type HeardTopics = {
  /** These topics are subscribed to anew, so their kept messages come again. */
  readonly forget: (topics: readonly string[]) => void;
  /** To be asked once for each message, in order. */
  readonly isOutdated: (message: MqttMessage) => boolean;
};

/**
 * A broker that reads kept messages while others pass (Aedes does) delivers the kept one after the one that replaced
 * it. It is older than everything that was heard on its topic since the subscription.
 */
function createHeardTopics(subscribed: ReadonlySet<string>): HeardTopics {
  const heard = new Set<string>();
  return {
    forget: (topics) => {
      for (const topic of topics) heard.delete(topic);
    },
    isOutdated: ({ topic, retained }) => {
      if (!retained && subscribed.has(topic)) heard.add(topic);
      return retained && heard.has(topic);
    },
  };
}

/** `null` where none is set, `undefined` where its file cannot be read. */
async function readPassword({ passwordFile }: MqttSettings, log: Log): Promise<string | null | undefined> {
  if (passwordFile === null) return null;
  try {
    return (await readFile(passwordFile, 'utf8')).split(/\r?\n/, 1)[0] ?? '';
  } catch (cause) {
    log.debug('reading the MQTT password file failed', { cause });
    return undefined;
  }
}
