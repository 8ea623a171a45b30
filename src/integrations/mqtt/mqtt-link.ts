import { openMqttSession, type MqttSession, type MqttSessionOptions } from './mqtt-session.ts';

/**
 * A session of two network connections, one for each direction, which end together: the broker's acknowledgement of a
 * command must not travel before the device's answer on the same one. Mosquitto, as shipped, leaves Nagle's algorithm
 * on, and the answer would wait the 40 ms until the kernel here acknowledges the acknowledgement.
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
