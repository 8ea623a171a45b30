import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { readBrokerUrl } from '#base/broker-url.ts';
import type { MqttMessage } from '#integrations/ports.ts';
import { isBrokerFault, type MqttFailure } from './mqtt-failure.ts';
import { type MqttLinkSession, openMqttLink } from './mqtt-link.ts';

type MqttConnectionListener = {
  /** Connected. Later messages are from this session, which has no subscription yet. */
  readonly onUp: (session: MqttLinkSession) => void;
  /** Called after each failed try and after each loss of the connection. */
  readonly onDown: (failure: MqttFailure) => void;
  /** Must not throw. */
  readonly onMessage: (message: MqttMessage) => void;
};

type MqttConnectionDeps = {
  /** `mqtt://host[:port]` or `mqtts://host[:port]`. */
  readonly address: string;
  readonly user: string | null;
  /** Called at each try, so that a new password needs no restart. `null` if none is set. */
  readonly readPassword: () => Promise<string | null>;
  /** True for an IP address that the hub may connect to. */
  readonly mayConnect: (address: string) => boolean;
  /** Called before bytes of the broker are read. */
  readonly noteServed: () => void;
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

/** Connects to a broker, and connects again after each loss, until the signal aborts. Leaves no socket or timer. */
export async function keepConnected(
  deps: MqttConnectionDeps,
  listener: MqttConnectionListener,
  signal: AbortSignal,
): Promise<void> {
  const delays = createRetryDelays(RETRY, deps.random);
  while (!signal.aborted) {
    let wasUp = false;
    const onUp = (session: MqttLinkSession): void => {
      wasUp = true;
      listener.onUp(session);
    };
    const failure = await connectOnce(deps, { ...listener, onUp }, signal);
    if (signal.aborted) return;
    // A broker that breaks the protocol will break it again.
    if (wasUp && !isBrokerFault(failure)) delays.reset();
    listener.onDown(failure);
    await waitMs(delays.nextMs(), deps.startTimer, signal);
  }
}

/** Runs one session from start to end. Resolves with why it ended. */
async function connectOnce(
  deps: MqttConnectionDeps,
  { onUp, onMessage }: MqttConnectionListener,
  signal: AbortSignal,
): Promise<MqttFailure> {
  const { user, mayConnect, noteServed, startTimer, monotonicMs, random } = deps;
  const address = readBrokerUrl(deps.address);
  if (address === undefined || address.port === 0) return NO_ADDRESS;
  let password: string | null;
  try {
    password = await deps.readPassword();
  } catch (cause) {
    deps.log.debug('reading the MQTT password failed', { cause });
    return NO_PASSWORD;
  }
  const session = openMqttLink({
    address,
    clientId: `hearthd-${Math.floor(random() * 2 ** 48).toString(16)}`,
    user,
    password,
    mayConnect,
    noteServed,
    startTimer,
    monotonicMs,
    signal,
    onConnect: () => onUp(session),
    onMessage,
  });
  return session.ended;
}
