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
  /** Its first line is the password. Read at each try, so that a new password needs no restart. */
  readonly passwordFile: string | null;
};

export type MqttListener = {
  /** Connected. Later messages are from this connection. The topics are being subscribed. */
  readonly onUp: () => void;
  /** Called after each failed try and after each loss of the connection. */
  readonly onDown: (failure: MqttFailure) => void;
  readonly onMessage: (message: MqttMessage) => void;
};

/** A connection to one broker that reconnects by itself. It queues nothing: what cannot be sent now fails now. */
export type MqttConnection = {
  /** Connects, and reconnects after each loss, until the signal aborts. Then no socket or timer is left. */
  readonly run: (listener: MqttListener, signal: AbortSignal) => Promise<void>;
  /** Subscribes to these topics, now and after each reconnect, and unsubscribes from `remove`. */
  readonly subscribe: (add: readonly string[], remove?: readonly string[]) => void;
  /** Resolves once the broker has it. Throws HubError INTEGRATION_DOWN, while not connected at once. */
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
  message: 'The MQTT password cannot be read: enter it again, or correct mqtt.password_file',
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
      // After a loss this needs no warning: the next session subscribes to all topics anyway.
      if (live === session) log.warn('the MQTT broker refuses a subscription', { cause });
    });
  };

  /** Runs one session from start to end. Returns why it ended. */
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
          log.error('handling a message failed', { topic: message.topic, cause });
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
        // A broker that breaks the protocol will break it again.
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
  /** These topics are being subscribed again, so the broker sends their kept messages again. */
  readonly forget: (topics: readonly string[]) => void;
  /** To be called once for each message, in order. */
  readonly isOutdated: (message: MqttMessage) => boolean;
};

/**
 * A broker that reads kept messages while others pass (as Aedes does) may deliver a kept message after the one that
 * replaced it. The kept one is older than everything received on its topic since the subscription.
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

/** `null` if none is set, `undefined` if its file cannot be read. */
async function readPassword({ passwordFile }: MqttSettings, log: Log): Promise<string | null | undefined> {
  if (passwordFile === null) return null;
  try {
    return (await readFile(passwordFile, 'utf8')).split(/\r?\n/, 1)[0] ?? '';
  } catch (cause) {
    log.debug('reading the MQTT password file failed', { cause });
    return undefined;
  }
}
