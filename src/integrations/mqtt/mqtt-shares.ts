import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { MqttBroker, MqttLinkListener, MqttMessage, MqttShare } from '#integrations/ports.ts';
import { createFilterTable, isFilter, isTopic } from './filter-table.ts';
import type { MqttFailure } from './mqtt-failure.ts';
import type { MqttLinkSession } from './mqtt-link.ts';
import { createShareIntake, type ShareIntake } from './share-intake.ts';

/** The connection of a broker, as its shares follow it. */
export type MqttShares = MqttBroker & {
  readonly onUp: (session: MqttLinkSession) => void;
  readonly onDown: (failure: MqttFailure) => void;
  readonly onMessage: (message: MqttMessage) => void;
};

type MqttSharesDeps = {
  readonly log: Log;
  readonly startTimer: StartTimer;
  readonly monotonicMs: () => number;
};

const MAX_LOGGED = 200;

type Member = {
  readonly listener: MqttLinkListener;
  readonly intake: ShareIntake;
  readonly filters: Set<string>;
};

/**
 * Divides one connection among those that join it. The broker has each filter once, until its last user leaves it.
 * A broker that sends a message once for each filter that matches it, as EMQX does, should be used with filters that
 * do not overlap: the copy looks like a message that was sent twice.
 */
export function createMqttShares(deps: MqttSharesDeps): MqttShares {
  const { log } = deps;
  const table = createFilterTable<Member>();
  const members = new Set<Member>();
  let live: MqttLinkSession | null = null;
  let failure: MqttFailure | null = null;

  const subscribe = (session: MqttLinkSession, filters: readonly string[]): void => {
    for (const { intake } of members) intake.noteSubscription();
    session.subscribe(filters).then(
      (refused) => {
        if (refused.length > 0) log.warn('the MQTT broker refuses a subscription', { topics: refused.slice(0, 3) });
      },
      // The next session subscribes to everything anyway.
      (cause: unknown) => log.debug('subscribing ended with the connection', { cause }),
    );
  };

  const change = (member: Member, add: readonly string[], remove: readonly string[]): void => {
    const { intake, filters } = member;
    const unused = remove.filter((filter) => filters.delete(filter) && table.remove(filter, member));
    const added: string[] = [];
    for (const filter of add) {
      if (filters.has(filter)) continue;
      if (!isFilter(filter)) {
        log.warn('a topic is none that MQTT allows', { topic: filter.slice(0, MAX_LOGGED) });
        continue;
      }
      filters.add(filter);
      table.add(filter, member);
      added.push(filter);
    }
    intake.forget(added);
    if (live === null) return;
    // Also what another share has subscribed already: only this makes the broker repeat its kept messages.
    if (added.length > 0) subscribe(live, added);
    if (unused.length > 0) live.unsubscribe(unused);
  };

  const join: MqttBroker['join'] = (listener): MqttShare => {
    const member: Member = { listener, intake: createShareIntake({ ...deps, listener }), filters: new Set() };
    members.add(member);
    return {
      begin: () => {
        if (live !== null) listener.onUp();
        else if (failure !== null) listener.onDown(failure);
      },
      subscribe: (add, remove = []) => change(member, add, remove),
      publish: (topic, payload, options) => publish(live, topic, { payload, retain: options?.retain === true }),
      holdWill: async (will, signal) => {
        if (live === null) throw notConnected();
        await live.holdWill(will, signal);
      },
      leave: () => {
        members.delete(member);
        change(member, [], [...member.filters]);
        member.intake.stop();
      },
    };
  };

  return {
    join,
    onUp: (session) => {
      live = session;
      failure = null;
      const filters = [...table.filters()];
      for (const { intake, listener } of members) {
        intake.reset();
        listener.onUp();
      }
      if (filters.length > 0) subscribe(session, filters);
    },
    onDown: (why) => {
      live = null;
      failure = why;
      for (const { listener } of members) listener.onDown(why);
    },
    onMessage: (message) => {
      for (const { intake } of table.usersOf(message.topic)) intake.take(message);
    },
  };
}

async function publish(
  live: MqttLinkSession | null,
  topic: string,
  { payload, retain }: { readonly payload: string | Buffer; readonly retain: boolean },
): Promise<void> {
  if (live === null) throw notConnected();
  if (!isTopic(topic)) throw new HubError('INTEGRATION_DOWN', 'MQTT allows no such topic.');
  try {
    await live.publish(topic, payload, retain);
  } catch (cause) {
    throw new HubError('INTEGRATION_DOWN', 'The MQTT broker did not take the message.', { cause });
  }
}

function notConnected(): HubError {
  return new HubError('INTEGRATION_DOWN', 'The MQTT broker is not connected.');
}
