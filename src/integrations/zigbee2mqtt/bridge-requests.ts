import { setTimeout as wait } from 'node:timers/promises';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { BridgeResponse } from './bridge-message.ts';

/** Requests to Zigbee2MQTT itself, each with its answer. */
export type BridgeRequests = {
  /** The answer's data. Throws HubError COMMAND_FAILED with upstream's reason, INTEGRATION_DOWN if the link is lost. */
  readonly ask: (request: string, payload: JsonObject) => Promise<JsonObject>;
  readonly onResponse: (response: BridgeResponse) => void;
  /** The link is down: nothing that waits will be answered. */
  readonly fail: () => void;
};

export type BridgeRequestsDeps = {
  readonly publish: (topic: string, payload: string) => Promise<void>;
  readonly baseTopic: string;
  readonly random: () => number;
};

/** A device that does not answer keeps Zigbee2MQTT waiting for ten seconds before it says so. */
const ANSWER_TIMEOUT_MS = 20_000;

export function createBridgeRequests({ publish, baseTopic, random }: BridgeRequestsDeps): BridgeRequests {
  const waiting = new Map<string, { resolve: (response: BridgeResponse) => void; reject: (error: Error) => void }>();
  return {
    ask: async (request, payload) => {
      const transaction = `hearthd-${Math.floor(random() * 2 ** 48).toString(16)}`;
      const done = new AbortController();
      const answer = new Promise<BridgeResponse>((resolve, reject) => waiting.set(transaction, { resolve, reject }));
      const late = wait(ANSWER_TIMEOUT_MS, undefined, { signal: done.signal }).then(
        () => Promise.reject(new HubError('COMMAND_FAILED', 'Zigbee2MQTT did not answer in time')),
        () => answer,
      );
      // Whichever comes second has no one to tell.
      answer.catch(() => undefined);
      late.catch(() => undefined);
      try {
        await publish(`${baseTopic}/bridge/request/${request}`, JSON.stringify({ ...payload, transaction }));
        const response = await Promise.race([answer, late]);
        if (response.isOk) return response.data;
        throw new HubError('COMMAND_FAILED', response.error ?? 'Zigbee2MQTT refused without a reason');
      } finally {
        done.abort();
        waiting.delete(transaction);
      }
    },
    onResponse: (response) => waiting.get(response.transaction)?.resolve(response),
    fail: () => {
      const error = new HubError('INTEGRATION_DOWN', 'the connection to Zigbee2MQTT was lost');
      for (const { reject } of waiting.values()) reject(error);
    },
  };
}
