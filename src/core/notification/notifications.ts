import { HubError } from '#base/hub-error.ts';
import type { Clock } from '#base/time/clock.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { addExcess, createFloodGate, digestContent, type Excess, type FloodGate, type Share } from './flood-gate.ts';
import {
  type BuiltInKind,
  type ChannelDelivery,
  isOpen,
  type Notification,
  type NotificationContent,
  type NotificationId,
} from './notification.ts';
import {
  type NotificationKeeper,
  type NotificationKeeperDeps,
  type NotificationNews,
  openNotificationKeeper,
} from './notification-keeper.ts';

/** `later`: it waits until its key has been quiet for ten seconds, or it only counts in the digest of its source. */
type Posted =
  | { readonly outcome: 'added' | 'replaced'; readonly notification: Notification }
  | { readonly outcome: 'later' };

/** Something the hub noticed. Its key is its own as long as its cause lasts. */
export type Alarm = Omit<NotificationContent, 'source' | 'key'> & {
  readonly builtIn: BuiltInKind;
  readonly key: string;
  /**
   * If the cause returns this soon after its end, the same notification is shown again, and no channel sends it anew. A
   * critical one that somebody acknowledged is a new one instead.
   */
  readonly quietMs: number;
};

export type Notifications = Pick<NotificationKeeper, 'all' | 'find' | 'follow'> & {
  /** For the hub itself: works on a full disk too, and is written once there is room. */
  readonly say: (content: NotificationContent) => void;
  /** On disk when it resolves, unless it comes later. */
  readonly post: (content: NotificationContent, terms?: Terms) => Promise<Posted>;
  /** The notification with this key, which is over now; `undefined` if none lasts. On disk when it resolves. */
  readonly resolve: (key: string, terms?: Terms) => Promise<Notification | undefined>;
  /** On disk when it resolves: no power cut brings the notification back. Throws HubError NOT_FOUND. */
  readonly acknowledge: (id: NotificationId, by: string, terms?: Terms) => Promise<Notification>;
  /** Shows an alarm, as `say` does, unless the same one is shown already. */
  readonly raise: (alarm: Alarm) => void;
  /** The cause of the alarm with this key has ended. */
  readonly clear: (key: string) => void;
  /** The one with this key whose cause has not ended. */
  readonly findLasting: (key: string | null) => Notification | undefined;
  readonly noteDelivery: (id: NotificationId, delivery: ChannelDelivery) => void;
  /** Removes what is too old, and writes what could not be written. Call it hourly. */
  readonly upkeep: () => Promise<void>;
  readonly stop: () => Promise<void>;
};
type Terms = Pick<ChangeTerms, 'authorize'>;

export type NotificationsDeps = NotificationKeeperDeps & {
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly newId: () => string;
  /** The channels that send a notification, as deliveries that have not been tried. */
  readonly planDeliveries: (notification: Notification) => readonly ChannelDelivery[];
  /** `undefined` for a device that is not there. */
  readonly standingOf: (deviceId: DeviceId) => Standing | undefined;
  /** A name for the title of a digest. */
  readonly nameOf: (source: NotificationContent['source']) => string;
};

/** How much people have to do with a device: `known` is there for a day, and anybody can invent a `new` one. */
export type Standing = {
  readonly name: string;
  readonly integration: string;
  readonly rank: 'named' | 'placed' | 'known' | 'new';
};

type Parts = {
  readonly deps: NotificationsDeps;
  readonly keeper: NotificationKeeper;
  readonly gate: FloodGate;
  readonly inTurn: <Result>(task: () => Promise<Result>) => Promise<Result>;
  /** Runs in turn; what it throws is logged. */
  readonly soon: (task: () => Promise<void>) => void;
};

/** Loads what is kept. Nothing is shown again because of a restart. */
export async function openNotifications(deps: NotificationsDeps): Promise<Notifications> {
  const { log } = deps;
  const keeper = await openNotificationKeeper(deps);
  const inTurn = createTurnQueue();
  const soon: Parts['soon'] = (task) => {
    inTurn(task).catch((cause: unknown) => log.error('a notification failed', { cause }));
  };
  const showDigest = createDigests(keeper, deps);
  const say: Notifications['say'] = (content) => {
    if (gate.pass(content) === 'show') soon(() => keeper.show(nextOf(content, keeper, deps), 'shown'));
  };
  const gate = createFloodGate({
    shareOf: (content) => shareOf(content, deps),
    monotonicMs: deps.clock.monotonicMs,
    startTimer: deps.startTimer,
    onHeld: say,
    onDigest: (excess) => soon(() => showDigest(excess)),
  });
  const parts: Parts = { deps, keeper, gate, inTurn, soon };
  return {
    all: keeper.all,
    find: keeper.find,
    follow: keeper.follow,
    findLasting: (key) => findLasting(keeper, key),
    say,
    ...requestedChanges(parts),
    ...ownChanges(parts),
    upkeep: () => inTurn(keeper.settle),
    stop: async () => {
      gate.stop();
      keeper.stop();
      await inTurn(keeper.settle).catch((cause: unknown) => log.error('storing notifications failed', { cause }));
    },
  };
}

/** Makes the changes of callers, which are on disk before they take effect. */
function requestedChanges({
  deps,
  keeper,
  gate,
  inTurn,
}: Parts): Pick<Notifications, 'post' | 'resolve' | 'acknowledge'> {
  const { nowMs } = deps;
  const change = async (now: Notification, next: Notification): Promise<Notification> => {
    await keeper.keep(next, newsOf(now, next));
    return next;
  };
  return {
    post: (content, terms) =>
      inTurn(async () => {
        terms?.authorize?.();
        if (gate.pass(content) !== 'show') return { outcome: 'later' };
        const outcome = findLasting(keeper, content.key) === undefined ? 'added' : 'replaced';
        const notification = nextOf(content, keeper, deps);
        await keeper.keep(notification, 'shown');
        return { outcome, notification };
      }),
    resolve: (key, terms) =>
      inTurn(async () => {
        terms?.authorize?.();
        gate.forget(key);
        const lasting = findLasting(keeper, key);
        return lasting && change(lasting, { ...lasting, resolvedAtMs: nowMs() });
      }),
    acknowledge: (id, by, terms) =>
      inTurn(async () => {
        terms?.authorize?.();
        const found = keeper.find(id);
        if (found === undefined) throw new HubError('NOT_FOUND', 'There is no such notification.');
        return isOpen(found) ? change(found, { ...found, acknowledged: { atMs: nowMs(), by } }) : found;
      }),
  };
}

/** Makes the changes of the hub itself, which are shown also if the disk takes nothing. */
function ownChanges({ deps, keeper, gate, soon }: Parts): Pick<Notifications, 'raise' | 'clear' | 'noteDelivery'> {
  const { nowMs } = deps;
  return {
    raise: ({ builtIn, quietMs, ...content }) =>
      soon(async () => {
        const last = keeper.findByKey(content.key);
        if (last?.resolvedAtMs === null) return;
        // Who acknowledged a danger that ended since does not know that it is back.
        const isNews = content.severity === 'critical' && (last?.acknowledged ?? null) !== null;
        if (last !== undefined && !isNews && nowMs() - last.resolvedAtMs < quietMs) {
          return keeper.show({ ...last, resolvedAtMs: null, count: last.count + 1 }, 'reopened');
        }
        const whole = { ...content, source: { kind: 'hub', id: builtIn } } as const;
        if (gate.pass(whole) === 'show') await keeper.show({ ...nextOf(whole, keeper, deps), builtIn }, 'shown');
      }),
    clear: (key) =>
      soon(async () => {
        gate.forget(key);
        const lasting = findLasting(keeper, key);
        if (lasting === undefined) return;
        const next = { ...lasting, resolvedAtMs: nowMs() };
        await keeper.show(next, newsOf(lasting, next));
      }),
    noteDelivery: (id, delivery) =>
      soon(async () => {
        const found = keeper.find(id);
        if (found === undefined) return;
        const others = found.deliveries.filter(({ channel }) => channel !== delivery.channel);
        const next = { ...found, deliveries: [...others, delivery] };
        // An attempt that will be repeated is in memory only: each write costs the card some kilobytes.
        if (delivery.state === 'retrying') keeper.put(next);
        else await keeper.show(next);
      }),
  };
}

/** Shows the digests, each of which counts on until somebody acknowledges it or it is not kept any more. */
function createDigests(keeper: NotificationKeeper, deps: NotificationsDeps): (excess: Excess) => Promise<void> {
  const counted = new Map<NotificationId, Excess>();
  return async (excess) => {
    for (const id of counted.keys()) if (keeper.find(id) === undefined) counted.delete(id);
    const lasting = findLasting(keeper, digestContent(excess, '').key);
    const before = lasting !== undefined && isOpen(lasting) ? counted.get(lasting.id) : undefined;
    const whole = before === undefined ? excess : addExcess(before, excess);
    const { count, ...content } = digestContent(whole, deps.nameOf(excess.source));
    const next = { ...nextOf(content, keeper, deps), count };
    counted.set(next.id, whole);
    await keeper.show(next, 'shown');
  };
}

/**
 * An alarm of the hub counts for the integration of its device, and there among devices of the same standing: sensors
 * that somebody invents mute none that was there before. What people named is always told of by itself when in danger.
 */
function shareOf(
  { source, deviceId, severity }: NotificationContent,
  { standingOf }: Pick<NotificationsDeps, 'standingOf'>,
): Share {
  const name = `${source.kind}:${source.id}`;
  const standing = source.kind === 'hub' && deviceId !== null ? standingOf(deviceId) : undefined;
  if (standing === undefined) return { name, isAlways: false, deviceId: null, deviceName: null, isKnown: false };
  const { rank, integration } = standing;
  return {
    name: `${name}:${rank}:${integration}`,
    isAlways: rank === 'named' && severity === 'critical',
    deviceId,
    deviceName: standing.name,
    isKnown: rank !== 'new',
  };
}

function findLasting({ findByKey }: Pick<NotificationKeeper, 'findByKey'>, key: string | null) {
  const found = key === null ? undefined : findByKey(key);
  return found?.resolvedAtMs === null ? found : undefined;
}

function newsOf(now: Notification, next: Notification): NotificationNews | undefined {
  return isOpen(now) && !isOpen(next) ? 'closed' : undefined;
}

/** The new notification, or the one with this key whose cause lasts, with new content. */
function nextOf(content: NotificationContent, keeper: NotificationKeeper, deps: NotificationsDeps): Notification {
  const lasting = findLasting(keeper, content.key);
  const atMs = deps.nowMs();
  const next: Notification = {
    ...content,
    id: lasting?.id ?? (deps.newId() as NotificationId),
    builtIn: null,
    count: (lasting?.count ?? 0) + 1,
    createdAtMs: lasting?.createdAtMs ?? atMs,
    updatedAtMs: atMs,
    acknowledged: null,
    resolvedAtMs: null,
    deliveries: [],
  };
  return { ...next, deliveries: deps.planDeliveries(next) };
}
