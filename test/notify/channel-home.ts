import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { systemRandom } from '#base/random.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Channel, ChannelSettings, ChannelStore } from '#core/notification/channel.ts';
import { HOUSEHOLD, isAddressedTo, type NotificationContent } from '#core/notification/notification.ts';
import type { Role } from '#core/person/user.ts';
import { createReceiverHttp } from '#hub/hub-webhooks.ts';
import { notificationJson } from '#http/notification/json.ts';
import { createAddressFinder } from '#lan/client/find-addresses.ts';
import type { Publish } from '#notify/channel-message.ts';
import { openChannels } from '#notify/channels.ts';
import { createPost } from '#webhooks/post.ts';
import { signDelivery } from '#webhooks/webhook-runner.ts';
import { createNotificationStore, openTestNotifications } from '#test/core/notification/notification-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

export type Received = {
  readonly headers: IncomingHttpHeaders;
  readonly path: string;
  readonly json: Readonly<Record<string, unknown>>;
};
export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  /** Status of its answers; `undefined` if it takes the request and never answers. */
  status: number | undefined;
};

/** An HTTP server that answers as the test says; `refuse` looks at each request first, as a strict server does. */
export async function startReceiver(
  refuse: (one: Received) => number | undefined = () => undefined,
): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.once('end', () => {
      const json = JSON.parse(Buffer.concat(chunks).toString()) as Received['json'];
      const one = { headers: request.headers, path: `${request.method} ${request.url}`, json };
      const refusal = refuse(one);
      if (refusal === undefined) receiver.received.push(one);
      const status = refusal ?? receiver.status;
      if (status !== undefined) response.writeHead(status, status === 302 ? { Location: '/elsewhere' } : {}).end('{}');
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received: [],
    status: 200,
  };
  return receiver;
}

/**
 * An ntfy server as its documentation has it: JSON to its root, a topic, a priority from 1 to 5, tags in a list, at most
 * 4,096 bytes of message, and a bearer token where it wants one.
 */
export function startNtfy(token?: string): Promise<Receiver> {
  return startReceiver(({ headers, path, json }) => {
    if (token !== undefined && headers.authorization !== `Bearer ${token}`) return 403;
    const { topic, title, message, priority, tags, ...unknown } = json;
    const isTopic = typeof topic === 'string' && /^[-_A-Za-z0-9]{1,64}$/.test(topic);
    const isMessage = typeof message === 'string' && message !== '' && Buffer.byteLength(message) <= 4096;
    const isTitle = title === undefined || typeof title === 'string';
    const isPriority = Number.isInteger(priority) && Number(priority) >= 1 && Number(priority) <= 5;
    const areTags = Array.isArray(tags) && tags.every((tag) => typeof tag === 'string');
    const isGood = path === 'POST /' && isTopic && isMessage && isTitle && isPriority && areTags;
    return isGood && Object.keys(unknown).length === 0 ? undefined : 400;
  });
}

/** Time limit of a request. A timer of this length shows that a request is under way. */
const REQUEST_MS = 10_000;

type Person = { readonly id: string; readonly role: Role };
export const ADA: Person = { id: 'ada', role: 'owner' };

export const settingsOf = (
  changes: Partial<ChannelSettings & Pick<Channel, 'secret'>> = {},
): ChannelSettings & Pick<Channel, 'secret'> => ({
  type: 'ntfy',
  name: 'Phone',
  enabled: true,
  minSeverity: 'info',
  userId: null,
  url: 'http://127.0.0.1:9/',
  mayReachHub: true,
  topic: 'home',
  broker: null,
  secret: null,
  ...changes,
});

export const contentOf = (changes: Partial<NotificationContent> = {}): NotificationContent => ({
  severity: 'warning',
  title: 'The door is open',
  text: 'For ten minutes.',
  to: HOUSEHOLD,
  key: null,
  deviceId: null,
  source: { kind: 'user', id: 'u1' },
  repeatS: null,
  ...changes,
});

type Given = { readonly publish?: Publish };

/** The real channels and notifications, with real sockets; only loopback counts as the LAN, and time is the test's. */
export async function openChannelHome({ publish = async () => ({ status: null, error: null }) }: Given = {}) {
  const time = createManualTime();
  let underWay = 0;
  const startTimer: StartTimer = (afterMs, run) => {
    const step = afterMs === REQUEST_MS ? 1 : 0;
    underWay += step;
    let isOver = false;
    const end = (): void => {
      if (!isOver) underWay -= step;
      isOver = true;
    };
    const cancel = time.startTimer(afterMs, () => {
      end();
      run();
    });
    return () => {
      end();
      cancel();
    };
  };
  const kept = new Map<string, Channel>();
  const channelStore: ChannelStore = {
    loadChannels: async () => [...kept.values()],
    saveChannel: async (channel) => void kept.set(channel.id, channel),
    deleteChannel: async (id) => void kept.delete(id),
  };
  const store = createNotificationStore();
  const quiet = new Map<string, number>();
  const { log, lines } = createRecordingLog();
  const findAddresses = createAddressFinder({
    isLanAddress: (address) => address.startsWith('127.'),
    isOwnAddress: () => false,
    lookup: async () => [{ address: '127.0.0.1' }],
  });
  const language: { spoken: string | null } = { spoken: null };
  const ups = new Map<string, () => void>();
  const open = async () => {
    const channels = await openChannels({
      store: channelStore,
      post: createPost({ httpFor: createReceiverHttp({ findAddresses, startTimer, random: systemRandom }) }),
      sign: signDelivery,
      jsonOf: notificationJson,
      isFor: (userId, { to }) => userId === ADA.id && isAddressedTo(to, ADA),
      quietUntilMs: (userId) => {
        const untilMs = quiet.get(userId) ?? 0;
        return untilMs > time.clock.wallMs() ? untilMs : null;
      },
      openBroker: (instance, onUp) => {
        ups.set(instance, onUp);
        return publish;
      },
      language: () => language.spoken,
      clock: time.clock,
      nowMs: time.clock.wallMs,
      wallMs: time.clock.wallMs,
      startTimer,
      random: systemRandom,
      newId: randomUUID,
      log,
    });
    const notifications = await openTestNotifications({ time, store, planDeliveries: channels.plan });
    channels.start(notifications);
    onTestFinished(channels.stop);
    return { channels, notifications };
  };
  const stateOf = ({ notifications }: Awaited<ReturnType<typeof open>>) =>
    notifications.all().map(({ title, deliveries }) => {
      return [
        title,
        ...deliveries.map(({ state, attempts, error }) => `${state} ${attempts} ${error?.code ?? ''}`.trim()),
      ];
    });
  return {
    language,
    ...(await open()),
    open,
    time,
    store,
    kept,
    quiet,
    lines,
    ups,
    stateOf,
    underWay: () => underWay,
  };
}
