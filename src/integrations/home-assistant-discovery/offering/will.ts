import type { Runtime } from '#base/time/runtime.ts';
import { waitMs, untilAborted } from '#base/time/timer.ts';
import type { MqttLink } from '#integrations/ports.ts';
import type { Places } from './places.ts';

type WillDeps = Pick<Runtime, 'startTimer' | 'log'> & {
  readonly link: Pick<MqttLink, 'publish' | 'holdWill'>;
  readonly places: Pick<Places, 'statusTopic'>;
};

const WILL_RETRY_MS = 5_000;

/** Whether the hub is there, and what the broker says when it is not. */
export function createWill({ link, places, startTimer, log }: WillDeps) {
  const topic = places.statusTopic;
  const ended = new AbortController();
  let up = new AbortController();
  up.abort();
  let lastError: { readonly code: string; readonly message: string } | null = null;

  const say = async (payload: string): Promise<void> => {
    await link
      .publish(topic, payload, { retain: true })
      .catch((cause: unknown) => log.debug('the state of the offering was not sent', { cause }));
  };
  const hold = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      let isHeld = false;
      const onHeld = (): void => {
        isHeld = true;
        lastError = null;
        if (!signal.aborted) void say('online');
      };
      // Not with `signal`: if the connection is lost, the broker shall say what it was asked to say.
      await link
        .holdWill({ topic, payload: 'offline', onHeld }, ended.signal)
        .catch((cause: unknown) => log.debug('the last will was not taken', { cause }));
      if (signal.aborted) return;
      if (!isHeld) lastError = { code: 'WILL_NOT_TAKEN', message: 'The MQTT broker takes no last will.' };
      await waitMs(WILL_RETRY_MS, startTimer, signal);
    }
  };
  return {
    setUp: (isUp: boolean): void => {
      up.abort();
      if (!isUp || ended.signal.aborted) return;
      up = new AbortController();
      void hold(up.signal);
    },
    say: async (payload: string, patience: AbortSignal): Promise<void> => {
      up.abort();
      await Promise.race([say(payload), untilAborted(patience)]);
    },
    lastError: () => lastError,
    stop: (): void => {
      up.abort();
      ended.abort();
    },
  };
}
