import { HubError } from '#base/hub-error.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import type { Runtime } from '#base/time/runtime.ts';
import { waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import {
  type Channel,
  type ChannelId,
  type Channels,
  type ChannelStore,
  type KnownChannel,
  MAX_CHANNELS,
} from '#core/notification/channel.ts';
import {
  type ChannelDelivery,
  isAtLeast,
  isForHome,
  isOpen,
  type Notification,
  type NotificationId,
} from '#core/notification/notification.ts';
import type { NotificationNews } from '#core/notification/notification-keeper.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import { worded } from '#core/notification/worded.ts';
import {
  type ChannelPorts,
  mqttPayload,
  mqttTopic,
  ntfyRequest,
  type Publish,
  webhookRequest,
  wordedIn,
} from './channel-message.ts';
import { type ChannelRunner, createChannelRunner, type Send } from './channel-runner.ts';

export type ChannelsDeps = Pick<Runtime, 'clock' | 'startTimer' | 'log'> &
  ChannelPorts & {
    readonly store: ChannelStore;
    /** Whether a notification is for this person, who may see it. */
    readonly isFor: (userId: string, notification: Notification) => boolean;
    /** Wall time until which this person wants to be left alone; `null` for now. */
    readonly quietUntilMs: (userId: string) => number | null;
    /** Speaks through an instance of the kind `mqtt` until the signal aborts. */
    readonly openBroker: (instance: string, onUp: () => void, signal: AbortSignal) => Publish;
    /** A tag of BCP 47, in which the hub sends what it wrote itself; `null` is English. */
    readonly language: () => string | null;
    readonly nowMs: () => number;
    readonly random: Random;
    readonly newId: () => string;
  };

export type OpenChannels = Channels & {
  /** The deliveries of a new notification, of which none has been tried. */
  readonly plan: (notification: Notification) => readonly ChannelDelivery[];
  /** Begins to send, also what an earlier run of the hub could not. To be called once. */
  readonly start: (notifications: Pick<Notifications, 'all' | 'find' | 'follow' | 'noteDelivery'>) => void;
  readonly stop: () => Promise<void>;
};

type Entry = {
  readonly channel: Channel;
  readonly runner: ChannelRunner;
  readonly send: Send;
  readonly end: AbortController;
};

const SECRET_BYTES = 32;
const PUBLISH_MS = 10_000;
/** A broker that was away when something closed may still keep it. */
const RECENT_MS = 86_400_000;

export async function openChannels(deps: ChannelsDeps): Promise<OpenChannels> {
  const { store, nowMs } = deps;
  const inTurn = createTurnQueue();
  const entries = new Map<string, Entry>();
  let source: Parameters<OpenChannels['start']>[0] | undefined;
  const run = (channel: Channel): Entry => {
    const end = new AbortController();
    const send = createSend(channel, deps, { onUp: () => runner.kick(), signal: end.signal });
    const runner: ChannelRunner = createChannelRunner({
      ...deps,
      channel,
      send,
      random: createRandomFractions(deps.random),
      find: (id) => source?.find(id),
      note: (id, delivery) => source?.noteDelivery(id, delivery),
      quietUntilMs: () => (channel.userId === null ? null : deps.quietUntilMs(channel.userId)),
    });
    const entry = { channel, runner, send, end };
    entries.set(channel.id, entry);
    return entry;
  };
  const entryOf = (id: string): Entry => {
    const entry = entries.get(id);
    if (entry === undefined) throw new HubError('NOT_FOUND', 'There is no such channel.');
    return entry;
  };
  const endOf = async ({ runner, end }: Entry): Promise<void> => {
    await runner.stop();
    end.abort();
  };
  /** Takes off the broker what it shows, as far as it can be reached now. */
  const leaveBroker = async ({ channel, send, end }: Entry): Promise<void> => {
    if (channel.type !== 'mqtt') return;
    const left = onlyShownBy(channel, entries.values(), source?.all() ?? []);
    await Promise.all(left.map((one) => send(one, 'close', end.signal)));
  };
  const follow = (notification: Notification, news: NotificationNews): void => {
    for (const { channel } of notification.deliveries) {
      const entry = entries.get(channel);
      if (entry !== undefined) tellRunner(entry, notification, news);
    }
  };
  const resume = ({ channel, runner }: Entry): void => {
    for (const one of source?.all().toReversed() ?? []) {
      const delivery = one.deliveries.find((each) => each.channel === channel.id);
      if (delivery === undefined || !channel.enabled) continue;
      if (isOpen(one) && delivery.state === 'retrying') runner.enqueue(one, 'show');
      const closedMs = one.resolvedAtMs ?? one.acknowledged?.atMs ?? null;
      const isRecent = closedMs !== null && nowMs() - closedMs < RECENT_MS;
      if (channel.type === 'mqtt' && isRecent && delivery.state === 'accepted') runner.enqueue(one, 'close');
    }
  };
  for (const channel of await store.loadChannels()) run(channel);

  return {
    channels: () => [...entries.values()].map(shown),
    find: (id) => {
      const entry = entries.get(id);
      return entry && shown(entry);
    },
    ...changesOf({ deps, entries, inTurn, run, entryOf, endOf, leaveBroker, resume }),
    test: async (id, given) => {
      const { runner } = entryOf(id);
      given?.authorize?.();
      const { status, error } = await runner.test(testNotification(deps));
      return { atMs: nowMs(), status, error };
    },
    plan: (notification) =>
      [...entries.values()].flatMap(({ channel }) => {
        const isWanted = channel.enabled && isAtLeast(notification.severity, channel.minSeverity);
        if (!isWanted || !concerns(channel, notification, deps)) return [];
        return [{ channel: channel.id, state: 'retrying', attempts: 0, atMs: nowMs(), error: null } as const];
      }),
    start: (notifications) => {
      source = notifications;
      notifications.follow(follow);
      for (const entry of entries.values()) resume(entry);
    },
    stop: async () => void (await Promise.all([...entries.values()].map(endOf))),
  };
}

type Parts = {
  readonly deps: ChannelsDeps;
  readonly entries: Map<string, Entry>;
  readonly inTurn: <Result>(task: () => Promise<Result>) => Promise<Result>;
  readonly run: (channel: Channel) => Entry;
  readonly entryOf: (id: string) => Entry;
  readonly endOf: (entry: Entry) => Promise<void>;
  readonly leaveBroker: (entry: Entry) => Promise<void>;
  readonly resume: (entry: Entry) => void;
};

function changesOf(parts: Parts): Pick<Channels, 'add' | 'update' | 'remove'> {
  const { deps, entries, inTurn, run, entryOf, endOf, leaveBroker, resume } = parts;
  const { store, nowMs, random } = deps;
  return {
    add: (settings, given) =>
      inTurn(async () => {
        given?.authorize?.();
        if (entries.size >= MAX_CHANNELS) throw new HubError('LIMIT_REACHED', `There can be ${MAX_CHANNELS} channels.`);
        const ownSecret = settings.type === 'webhook' ? { secret: newSecret(random) } : {};
        const atMs = nowMs();
        const id = deps.newId() as ChannelId;
        const channel: Channel = { ...settings, ...ownSecret, id, revision: 1, createdAtMs: atMs, updatedAtMs: atMs };
        await store.saveChannel(channel);
        return shown(run(channel));
      }),
    update: (id, change, given) =>
      inTurn(async () => {
        const entry = entryOf(id);
        given?.authorize?.();
        const revision = (entry.channel.revision ?? 1) + 1;
        const channel = { ...entry.channel, ...change(entry.channel), revision, updatedAtMs: nowMs() };
        await store.saveChannel(channel);
        if (!channel.enabled || channel.broker !== entry.channel.broker) await leaveBroker(entry);
        await endOf(entry);
        const next = run(channel);
        resume(next);
        return shown(next);
      }),
    remove: (id, given) =>
      inTurn(async () => {
        const entry = entryOf(id);
        given?.authorize?.();
        await store.deleteChannel(id);
        entries.delete(id);
        await leaveBroker(entry);
        await endOf(entry);
      }),
  };
}

function hasAccepted({ deliveries }: Notification, { id }: Channel): boolean {
  return deliveries.some(({ channel, state }) => channel === id && state === 'accepted');
}

function tellRunner({ channel, runner }: Entry, notification: Notification, news: NotificationNews): void {
  if (!channel.enabled) return;
  // A display at a broker shows what is open; the others send news.
  const isKept = channel.type === 'mqtt';
  if (news === 'closed') {
    runner.forget(notification.id);
    if (isKept) runner.enqueue(notification, 'close');
  } else if (news === 'shown' || isKept || news === 'again') runner.enqueue(notification, 'show');
}

function concerns(channel: Channel, notification: Notification, { isFor }: Pick<ChannelsDeps, 'isFor'>): boolean {
  if (notification.to.includes(`channel:${channel.id}`)) return true;
  return channel.userId === null ? isForHome(notification.to) : isFor(channel.userId, notification);
}

/** Under the topic of a notification stands what all channels at a broker show: what no other enabled one has there. */
function onlyShownBy(
  channel: Channel,
  entries: Iterable<Entry>,
  all: readonly Notification[],
): readonly Notification[] {
  const { id, type, broker } = channel;
  const isOther = (one: Channel): boolean => one.id !== id && one.enabled && one.type === type && one.broker === broker;
  const others = [...entries].map((entry) => entry.channel).filter(isOther);
  const isOnlyHere = (one: Notification): boolean => !others.some((other) => hasAccepted(one, other));
  return all.filter((one) => isOpen(one) && hasAccepted(one, channel) && isOnlyHere(one));
}

type Run = { readonly onUp: () => void; readonly signal: AbortSignal };

/** Sends in the language of the hub. */
function createSend(channel: Channel, deps: ChannelsDeps, run: Run): Send {
  const send = createPlainSend(channel, deps, run);
  return (one, what, signal) => send(wordedIn(deps.language(), one), what, signal);
}

function createPlainSend(channel: Channel, deps: ChannelsDeps, run: Run): Send {
  if (channel.type === 'ntfy') return (one, _what, signal) => deps.post(ntfyRequest(channel, one), signal);
  if (channel.type === 'webhook') return (one, _what, signal) => deps.post(webhookRequest(channel, one, deps), signal);
  const publish = deps.openBroker(channel.broker ?? '', run.onUp, run.signal);
  return async (one, what, signal) => {
    const answered = new AbortController();
    const abort = (): void => answered.abort();
    signal.addEventListener('abort', abort, { once: true });
    // A broker that takes the message and never says so must not hold up the next one.
    const late = waitMs(PUBLISH_MS, deps.startTimer, answered.signal).then(() => NO_ANSWER);
    const sent = publish(mqttTopic(one), mqttPayload(one, what, deps.jsonOf), what === 'close' || isKept(one));
    const result = await Promise.race([sent, late]);
    abort();
    signal.removeEventListener('abort', abort);
    return result;
  };
}

const NO_ANSWER = { status: null, error: { code: 'timeout', message: 'the broker did not answer within 10 s' } };

/** A test is not kept at the broker. */
const isKept = ({ id }: Notification): boolean => id !== TEST_ID;
const TEST_ID = 'test' as NotificationId;

function testNotification({ nowMs }: Pick<ChannelsDeps, 'nowMs'>): Notification {
  return {
    id: TEST_ID,
    severity: 'info',
    ...worded('test', {}),
    to: [],
    key: null,
    builtIn: null,
    deviceId: null,
    source: { kind: 'hub', id: 'test' },
    count: 1,
    createdAtMs: nowMs(),
    updatedAtMs: nowMs(),
    repeatS: null,
    acknowledged: null,
    resolvedAtMs: null,
    deliveries: [],
  };
}

function newSecret(random: Random): string {
  return `whsec_${random(SECRET_BYTES).toString('base64url')}`;
}

function shown({ channel, runner }: Entry): KnownChannel {
  return { channel, state: runner.state() };
}
