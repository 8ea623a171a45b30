import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { isForKeepers } from '#core/event/event.ts';
import type { EventLog, KeptEvent } from '#core/event/event-log.ts';
import type { Webhooks } from '#core/webhook/webhook.ts';
import { createEventPages } from '#http/event/page.ts';
import { createEventSelector, type EventFilter, readEventFilter } from '#http/event/filter.ts';
import type { EventSource } from '#webhooks/event-source.ts';
import type { FindAddresses } from '#lan/client/find-addresses.ts';
import { createLanClient } from '#lan/client/lan-client.ts';
import { createPost, type PostDeps } from '#webhooks/post.ts';
import { openWebhooks } from '#webhooks/webhooks.ts';
import type { Storage } from '#storage/storage.ts';

export type HubWebhooksDeps = {
  readonly storage: Pick<Storage, 'webhooks'>;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  readonly findAddresses: FindAddresses;
  readonly events: EventLog;
  readonly newId: () => string;
};

const PAGE = { maxBytes: 64 * 1024, maxEvents: 500 };

/** Opens the webhooks, which read the hub's events as a long poll does. */
export function openHubWebhooks(deps: HubWebhooksDeps): Promise<Webhooks & { readonly stop: () => Promise<void> }> {
  const { clock, events } = deps;
  return openWebhooks({
    ...deps,
    store: deps.storage.webhooks,
    events: createEventSource(events, clock),
    post: createPost({ httpFor: createReceiverHttp(deps) }),
    log: deps.log.part('webhooks'),
  });
}

/** Each delivery has a connection of its own: a receiver may be away for days between two of them. */
export function createReceiverHttp(
  deps: Pick<HubWebhooksDeps, 'findAddresses' | 'startTimer' | 'random'>,
): PostDeps['httpFor'] {
  const clientFor = (mayReachHub: boolean): PostDeps['httpFor'] => {
    const { http } = createLanClient({ ...deps, mayReachHub: () => mayReachHub, keepAlive: false });
    return () => http;
  };
  const [anywhere, elsewhere] = [clientFor(true), clientFor(false)];
  return (receiver) => (receiver.mayReachHub ? anywhere : elsewhere)(receiver);
}

/** Gives webhooks access to the event log. */
export function createEventSource(events: EventLog, { wallMs, monotonicMs }: Clock): EventSource {
  const select = createEventSelector(events, monotonicMs);
  const pages = createEventPages({ log: events, select, wallMs });
  const noNames = { findDevice: () => undefined, findRoom: () => undefined };
  return {
    last: events.lastSequence,
    cursorAt: events.cursorAt,
    read: ({ types, deviceIds, roomIds }, { after, upTo }) => {
      // The filter contains only ids, so that no name has to be looked up.
      const query = { types: listOf(types), device: listOf(deviceIds), room: listOf(roomIds) };
      return pages.read(after, withoutKeeperEvents(readEventFilter(query, noNames)), { ...PAGE, upTo });
    },
    gap: ({ from, to, reason }) => pages.gap({ from: from === null ? null : events.cursorAt(from), to, reason }),
    test: () => pages.single('hub.test', {}, events.lastSequence()),
    subscribe: (listener) => events.subscribe(() => listener()),
  };
}

/** Who reads at the other end of a webhook is unknown. */
function withoutKeeperEvents(filter: EventFilter | undefined): EventFilter {
  const { kinds, wantsDevice = () => true, wantsRoom = () => true, wantsScene = () => true } = filter ?? {};
  const { show = (event) => event }: Partial<EventFilter> = filter ?? {};
  const showUnlessKept = (event: KeptEvent): KeptEvent | undefined =>
    isForKeepers(event.type) ? undefined : show(event);
  return { show: showUnlessKept, kinds, wantsDevice, wantsRoom, wantsScene };
}

function listOf<Item>(items: readonly Item[] | null): Item[] | undefined {
  return items === null ? undefined : [...items];
}
