import type { Clock } from '#base/time/clock.ts';
import { isForKeepers } from '#core/event/event.ts';
import type { EventLog, KeptEvent } from '#core/event/event-log.ts';
import type { Webhooks } from '#core/webhook/webhook.ts';
import { createEventPages } from '#http/event/page.ts';
import { createEventSelector, type EventFilter, readEventFilter } from '#http/event/filter.ts';
import type { EventSource } from '#webhooks/event-source.ts';
import { createLanClient } from '#lan/client/lan-client.ts';
import { createPost, type PostDeps } from '#webhooks/post.ts';
import { openWebhooks } from '#webhooks/webhooks.ts';
import type { HubContext } from './hub-context.ts';

type HubWebhooksDeps = Pick<
  HubContext,
  'storage' | 'clock' | 'startTimer' | 'random' | 'log' | 'stops' | 'findAddresses' | 'events' | 'newId'
>;

const PAGE = { maxBytes: 64 * 1024, maxEvents: 500 };

/** Opens the webhooks, which read the hub's events as a long poll does. */
export async function openHubWebhooks(deps: HubWebhooksDeps): Promise<Webhooks> {
  const webhooks = await openWebhooks({
    ...deps,
    store: deps.storage.webhooks,
    events: createEventSource(deps.events, deps.clock),
    post: createPost({ httpFor: createReceiverHttp(deps) }),
    log: deps.log.part('webhooks'),
  });
  deps.stops.add('webhooks', webhooks.stop);
  return webhooks;
}

/** Each delivery has a connection of its own: a receiver may be away for days between two of them. */
export function createReceiverHttp(
  deps: Pick<HubWebhooksDeps, 'findAddresses' | 'startTimer' | 'random'>,
): PostDeps['httpFor'] {
  const clientFor = (mayReachHub: boolean): PostDeps['httpFor'] => {
    const { http } = createLanClient({ ...deps, mayReachHub: () => mayReachHub, keepAlive: false });
    return () => http;
  };
  const anywhere = clientFor(true);
  const elsewhere = clientFor(false);
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

/** Leaves out events for keepers: who reads at the other end of a webhook is unknown. */
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
