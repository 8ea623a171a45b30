import { openMqttSession, type MqttSession, type MqttSessionOptions } from './mqtt-session.ts';

/**
 * A session over two network connections, one for each direction, which end together. On a single connection the
 * broker's acknowledgement of a command would travel before the device's answer. Mosquitto, as shipped, leaves Nagle's
 * algorithm on, so the answer would then wait 40 ms, until the kernel here acknowledges the acknowledgement.
 */
export function openMqttLink(options: MqttSessionOptions): MqttSession {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  if (options.signal.aborted) end();
  else options.signal.addEventListener('abort', end, { once: true });
  let missing = 2;
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
  };
}
