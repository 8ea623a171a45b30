import { HubError } from '#base/hub-error.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import type { ExportError } from '#core/exporter/exporter.ts';
import { isGap } from '#core/past/history/sample.ts';
import type { ExportSample } from './export-sample.ts';
import { failed, type Sender, type SendResult } from './sender.ts';

/** A connection to a broker, its own or that of an instance. */
export type BrokerLink = {
  /** Takes part until the signal aborts. */
  readonly run: (listener: BrokerListener, signal: AbortSignal) => Promise<void>;
  /** Resolves once the broker has it (QoS 1). Throws HubError INTEGRATION_DOWN. */
  readonly publish: (topic: string, payload: string, options: { readonly retain: true }) => Promise<void>;
};

type BrokerListener = {
  readonly onUp: () => void;
  readonly onDown: (failure: Pick<ExportError, 'message' | 'reason'>) => void;
};

/** They wait for their acknowledgements together; one after the other would take a turn of the network for each. */
const MAX_SAMPLES = 200;
const CONNECT_MS = 10_000;
const PROBE_TOPIC = 'hearthd/test';

/**
 * Publishes each sample as a retained message `hearthd/<device>/<key>` with its value as JSON, `null` for a gap. A broker
 * shows nobody what it does not let the hub publish: such a message counts as taken.
 */
export function createMqttSender(link: BrokerLink, startTimer: StartTimer): Sender {
  const closing = new AbortController();
  let state: 'up' | SendResult | undefined;
  const known = new AbortController();
  const note = (now: 'up' | SendResult): void => {
    state = now;
    known.abort();
  };
  const noteDown = ({ message, reason }: Pick<ExportError, 'message' | 'reason'>): void =>
    note({ type: 'failed', error: { code: 'broker_down', message, detail: null, ...(reason && { reason }) } });
  void link.run({ onUp: () => note('up'), onDown: noteDown }, closing.signal);

  const publish = async (
    messages: readonly (readonly [topic: string, payload: string])[],
    signal: AbortSignal,
  ): Promise<SendResult> => {
    if (state === undefined) {
      const ended = AbortSignal.any([known.signal, closing.signal, signal]);
      await waitMs(CONNECT_MS, startTimer, ended);
    }
    if (state !== 'up') return state ?? failed('timeout', 'the broker does not answer');
    const sent = messages.map(([topic, payload]) => link.publish(topic, payload, { retain: true }));
    const outcomes = await Promise.allSettled(sent);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      const cause: unknown = outcome.reason;
      if (!(cause instanceof HubError)) throw cause;
      return failed('broker_down', cause.message);
    }
    return { type: 'taken' };
  };
  return {
    maxSamples: MAX_SAMPLES,
    send: async (samples, signal) => {
      const some = samples.slice(0, MAX_SAMPLES);
      return { count: some.length, result: await publish(some.map(messageOf), signal) };
    },
    // An empty retained message leaves none behind (MQTT 3.1.1 §3.3.1.3).
    probe: (signal) => publish([[PROBE_TOPIC, '']], signal),
    close: () => closing.abort(),
  };
}

function messageOf({ labels: { device, key }, value }: ExportSample): readonly [topic: string, payload: string] {
  const topic = ['hearthd', device, key].map((part) => part.replaceAll(/[+#/]|\p{Cc}|\p{Surrogate}/gu, '_')).join('/');
  return [topic, JSON.stringify(isGap(value) ? null : value)];
}
