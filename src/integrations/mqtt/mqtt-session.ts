import { ErrorWithSubackPacket, MqttClient, Store } from 'mqtt';
import type { StartTimer } from '#base/time/timer.ts';
import { type BrokerAddress, placeOfBroker } from '#base/broker-url.ts';
import type { MqttMessage, MqttWill } from '#integrations/ports.ts';
import { openBrokerStream } from './broker-stream.ts';
import { failureFromError, failureOfClosed, type MqttFailure } from './mqtt-failure.ts';
import { TOPICS_PER_PACKET } from './packet-frames.ts';

export type MqttSessionOptions = {
  readonly address: BrokerAddress;
  readonly clientId: string;
  readonly user: string | null;
  readonly password: string | null;
  /** True for an IP address that the hub may connect to. */
  readonly mayConnect: (address: string) => boolean;
  readonly noteServed: () => void;
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
  /** Published by the broker if the session ends in another way than by `leave`. */
  readonly will?: Pick<MqttWill, 'topic' | 'payload'>;
  readonly onConnect: () => void;
  /** Must not throw. */
  readonly onMessage: (message: MqttMessage) => void;
  /** Ends the session. */
  readonly signal: AbortSignal;
};

/** One network connection to a broker, from its start to its end. */
export type MqttSession = {
  /** Resolves with the reason of the end, once nothing of the session is left. */
  readonly ended: Promise<MqttFailure>;
  /** Resolves once the broker has it (QoS 1). Rejects if the session ends first or no answer comes. */
  readonly publish: (topic: string, payload: string | Buffer, retain: boolean) => Promise<void>;
  /** Resolves with the filters that the broker refuses. Rejects if the session ends. */
  readonly subscribe: (filters: readonly string[]) => Promise<readonly string[]>;
  readonly unsubscribe: (filters: readonly string[]) => void;
  /** Ends the session with a word to the broker. */
  readonly leave: () => void;
};

/** A half-open link is detected after one and a half of these. */
const KEEPALIVE_S = 10;
const CONNECT_TIMEOUT_MS = 10_000;
const PUBLISH_TIMEOUT_MS = 5_000;

export function openMqttSession(options: MqttSessionOptions): MqttSession {
  const client = new MqttClient(() => openBrokerStream(options), {
    ...(options.user === null ? {} : { username: options.user }),
    // MQTT 3.1.1 has no password without a user (section 3.1.2.9).
    ...(options.user === null || options.password === null ? {} : { password: options.password }),
    clientId: options.clientId,
    ...(options.will === undefined ? {} : { will: { ...willPayload(options.will), qos: 1, retain: true } }),
    clean: true,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_TIMEOUT_MS,
    // Each try is a new client, so that nothing an old one had queued is delivered late.
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    // It would hold a buffer for each of the 65,536 numbers of packets, 5 MB, from the first packet on.
    writeCache: false,
    // By default the end of the client clears this store while packets are still to be handled, which throws uncaught.
    outgoingStore: new Store({ clean: false }),
  });
  const unsettled = new Set<(error: Error) => void>();
  const ended = endOfClient(client, options).then((failure) => {
    for (const settle of unsettled) settle(new Error('the connection was lost'));
    return failure;
  });
  const wanted = new Set<string>();
  const letFirstLeave = createFirstLeave(client);
  return {
    ended,
    publish: (topic, payload, retain) =>
      new Promise((resolve, reject) => {
        const settle = (error?: Error): void => {
          stopTimer();
          unsettled.delete(settle);
          if (error === undefined) resolve();
          else reject(error);
        };
        const stopTimer = options.startTimer(PUBLISH_TIMEOUT_MS, () => settle(new Error('no acknowledgement')));
        unsettled.add(settle);
        client.publish(topic, payload, { qos: 1, retain }, (error) => settle(error ?? undefined));
        letFirstLeave();
      }),
    subscribe: (filters) => subscribeInTurn(client, filters, wanted),
    unsubscribe: (filters) => {
      for (const filter of filters) wanted.delete(filter);
      client.unsubscribe([...filters]);
    },
    leave: () => void client.end(),
  };
}

/**
 * The mqtt package holds what is published until the present work is over, so that it goes out together. The first one
 * needs not wait for that: most often it is the only one, and a lamp that somebody waits for.
 */
function createFirstLeave(client: MqttClient): () => void {
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    while (client.stream.writableCorked > 0) client.stream.uncork();
    setImmediate(() => {
      hasLeft = false;
    });
  };
}

function willPayload({ topic, payload }: Pick<MqttWill, 'topic' | 'payload'>) {
  return { topic, payload: Buffer.from(payload) };
}

/** One packet after the other. Leaves out what was unsubscribed meanwhile. */
async function subscribeInTurn(
  client: MqttClient,
  filters: readonly string[],
  wanted: Set<string>,
): Promise<readonly string[]> {
  for (const filter of filters) wanted.add(filter);
  const refused: string[] = [];
  for (let start = 0; start < filters.length; start += TOPICS_PER_PACKET) {
    const some = filters.slice(start, start + TOPICS_PER_PACKET).filter((filter) => wanted.has(filter));
    if (some.length > 0) refused.push(...(await subscribeOnce(client, some)));
  }
  return refused;
}

const REFUSED = 0x80;

/** The mqtt package rejects if the broker refuses one of them, although it has taken the others. */
async function subscribeOnce(client: MqttClient, filters: readonly string[]): Promise<readonly string[]> {
  try {
    await client.subscribeAsync([...filters]);
    return [];
  } catch (cause) {
    const answer = cause instanceof ErrorWithSubackPacket ? cause.packet : undefined;
    const granted: readonly unknown[] = Array.isArray(answer?.granted) ? answer.granted : [];
    const refused = filters.filter((_, index) => granted[index] === REFUSED);
    if (refused.length === 0) throw cause;
    return refused;
  }
}

function endOfClient(client: MqttClient, options: MqttSessionOptions): Promise<MqttFailure> {
  const place = placeOfBroker(options.address);
  return new Promise((resolve) => {
    let failure: MqttFailure | null = null;
    const finish = (): void => resolve(failure ?? failureOfClosed(place));
    const end = (): void => {
      options.signal.removeEventListener('abort', end);
      client.end(true);
      if (client.stream.closed) finish();
      else client.stream.once('close', finish);
    };
    // Stays listening after the end: a late error of a dead socket must not become an uncaught exception.
    const fail = (error: unknown): void => {
      failure ??= failureFromError(error, place);
      end();
    };
    client.on('error', fail);
    client.once('close', end);
    client.once('connect', () => {
      if (!options.signal.aborted) options.onConnect();
    });
    client.on('message', (topic, payload, { retain }) => {
      if (failure === null && !options.signal.aborted) options.onMessage({ topic, payload, retained: retain });
    });
    if (options.signal.aborted) end();
    else options.signal.addEventListener('abort', end, { once: true });
  });
}
