import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { MqttBroker, MqttLink, MqttLinkFailure, MqttLinkListener, MqttShare } from './ports.ts';

/** Brings the instances that speak through a broker together with the instance that is connected to it. */
export type MqttLinks = {
  /** A link through this instance. It outlives restarts of the instance, and may begin before it. */
  readonly link: (id: string) => MqttLink;
  /** The links of this instance speak through this broker until the result is called. */
  readonly serve: (id: string, broker: MqttBroker) => () => void;
};

type Participant = { readonly attach: (broker: MqttBroker) => void; readonly detach: () => void };

/** An instance that is on is connected to its broker, or says why not, within this time. */
const GRACE_MS = 5_000;
const OFF: MqttLinkFailure = {
  code: 'BROKER_OFF',
  message: 'The MQTT broker that it speaks through is switched off or missing: switch it on, or choose another',
};

export function createMqttLinks(startTimer: StartTimer): MqttLinks {
  const brokers = new Map<string, MqttBroker>();
  const participants = new Map<string, Set<Participant>>();

  const participantsOf = (id: string): Set<Participant> => {
    const present = participants.get(id) ?? new Set();
    participants.set(id, present);
    return present;
  };

  return {
    link: (id) =>
      createLink(startTimer, (participant) => {
        const all = participantsOf(id).add(participant);
        const broker = brokers.get(id);
        if (broker !== undefined) participant.attach(broker);
        return () => {
          all.delete(participant);
          if (all.size === 0) participants.delete(id);
          participant.detach();
        };
      }),
    serve: (id, broker) => {
      brokers.set(id, broker);
      for (const participant of participants.get(id) ?? []) participant.attach(broker);
      return () => {
        if (brokers.get(id) !== broker) return;
        brokers.delete(id);
        for (const participant of participants.get(id) ?? []) participant.detach();
      };
    },
  };
}

function createLink(startTimer: StartTimer, takePart: (participant: Participant) => () => void): MqttLink {
  const filters = new Set<string>();
  let share: MqttShare | null = null;

  const participantOf = (listener: MqttLinkListener): Participant => ({
    attach: (broker) => {
      share?.leave();
      share = broker.join(listener);
      share.subscribe([...filters]);
      share.begin();
    },
    detach: () => {
      if (share === null) return;
      share.leave();
      share = null;
      listener.onDown(OFF);
    },
  });

  return {
    run: (listener, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const live: MqttLinkListener = {
          ...listener,
          onDown: (failure) => {
            if (!signal.aborted) listener.onDown(failure);
          },
        };
        const leave = takePart(participantOf(live));
        const stopTimer = startTimer(GRACE_MS, () => {
          if (share === null) listener.onDown(OFF);
        });
        const end = (): void => {
          stopTimer();
          leave();
          resolve();
        };
        signal.addEventListener('abort', end, { once: true });
      }),
    subscribe: (add, remove = []) => {
      for (const filter of remove) filters.delete(filter);
      for (const filter of add) filters.add(filter);
      share?.subscribe(add, remove);
    },
    publish: async (topic, payload, options) => {
      if (share === null) throw new HubError('INTEGRATION_DOWN', OFF.message);
      await share.publish(topic, payload, options);
    },
    holdWill: async (will, signal) => {
      if (share === null) throw new HubError('INTEGRATION_DOWN', OFF.message);
      await share.holdWill(will, signal);
    },
  };
}
