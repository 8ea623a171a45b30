import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { BridgeResponse } from './bridge-message.ts';

export type BridgeRequests = ReturnType<typeof createBridgeRequests>;

type BridgeRequestsDeps = Pick<Runtime, 'startTimer' | 'random'> & {
  readonly publish: (topic: string, payload: string) => Promise<void>;
  readonly baseTopic: string;
};

/** Zigbee2MQTT itself waits ten seconds for a device that does not answer. */
const ANSWER_TIMEOUT_MS = 20_000;

export function createBridgeRequests({ publish, baseTopic, startTimer, random }: BridgeRequestsDeps) {
  const waiting = new Map<string, { resolve: (response: BridgeResponse) => void; reject: (error: Error) => void }>();
  return {
    /**
     * Returns the answer's data. Throws HubError COMMAND_FAILED with upstream's reason, INTEGRATION_DOWN if the link is
     * lost.
     */
    ask: async (request: string, payload: JsonObject): Promise<JsonObject> => {
      const transaction = `hearthd-${Math.floor(random() * 2 ** 48).toString(16)}`;
      let stopTimer = (): void => undefined;
      const answer = new Promise<BridgeResponse>((resolve, reject) => {
        waiting.set(transaction, { resolve, reject });
        const late = new HubError('COMMAND_FAILED', 'Zigbee2MQTT did not answer in time.');
        stopTimer = startTimer(ANSWER_TIMEOUT_MS, () => reject(late));
      });
      // If publishing fails, nothing awaits this promise, and its rejection must not count as unhandled.
      answer.catch(() => undefined);
      try {
        await publish(`${baseTopic}/bridge/request/${request}`, JSON.stringify({ ...payload, transaction }));
        const response = await answer;
        if (response.isOk) return response.data;
        throw new HubError('COMMAND_FAILED', response.error ?? 'Zigbee2MQTT refused without a reason.');
      } finally {
        stopTimer();
        waiting.delete(transaction);
      }
    },
    onResponse: (response: BridgeResponse): void => waiting.get(response.transaction)?.resolve(response),
    /** Rejects all waiting requests, because the link is down. */
    fail: (): void => {
      const error = new HubError('INTEGRATION_DOWN', 'The connection to Zigbee2MQTT was lost.');
      for (const { reject } of waiting.values()) reject(error);
    },
  };
}
