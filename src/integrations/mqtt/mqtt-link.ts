import type { MqttWill } from '#integrations/ports.ts';
import { openMqttSession, type MqttSession, type MqttSessionOptions } from './mqtt-session.ts';

/** A session with a broker, as its users have it. */
export type MqttLinkSession = Omit<MqttSession, 'leave'> & {
  /** Resolves when the signal aborts or the connection ends. */
  readonly holdWill: (will: MqttWill, signal: AbortSignal) => Promise<void>;
};

/**
 * A session over two network connections, one for each direction, which end together. On a single connection the
 * broker's acknowledgement of a command would travel before the device's answer. Mosquitto, as shipped, leaves Nagle's
 * algorithm on, so the answer would then wait 40 ms, until the kernel here acknowledges the acknowledgement.
 */
export function openMqttLink(options: MqttSessionOptions): MqttLinkSession {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  if (options.signal.aborted) end();
  else options.signal.addEventListener('abort', end, { once: true });
  let missing = 2;
  let wills = 0;
  const onConnect = (): void => {
    missing -= 1;
    if (missing === 0) options.onConnect();
  };
  const shared = { ...options, signal: ending.signal, onConnect };
  const receiving = openMqttSession({ ...shared, clientId: `${options.clientId}-r` });
  const sending = openMqttSession({ ...shared, clientId: `${options.clientId}-s`, onMessage: () => undefined });
  const endBoth = async (): MqttSession['ended'] => {
    const failure = await Promise.race([receiving.ended, sending.ended]);
    end();
    options.signal.removeEventListener('abort', end);
    await Promise.all([receiving.ended, sending.ended]);
    return failure;
  };
  return {
    ended: endBoth(),
    publish: sending.publish,
    subscribe: receiving.subscribe,
    unsubscribe: receiving.unsubscribe,
    // A broker takes a will with a connection only: what wants one later, or no more, must not end those of others.
    holdWill: async (will, signal) => {
      if (signal.aborted || ending.signal.aborted) return;
      wills += 1;
      const clientId = `${options.clientId}-w${wills}`;
      const own = { clientId, will, onConnect: will.onHeld, onMessage: () => undefined };
      const holding = openMqttSession({ ...shared, ...own });
      signal.addEventListener('abort', holding.leave, { once: true });
      await holding.ended;
      signal.removeEventListener('abort', holding.leave);
    },
  };
}
