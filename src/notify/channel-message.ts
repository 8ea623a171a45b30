import type { Channel } from '#core/notification/channel.ts';
import type { Notification, Severity } from '#core/notification/notification.ts';
import { notificationTexts as german } from '#words/de/notifications.ts';
import { templateMessages as germanMessages } from '#words/de/template-messages.ts';
import { notificationTexts as spanish } from '#words/es/notifications.ts';
import { templateMessages as spanishMessages } from '#words/es/template-messages.ts';
import { notificationTexts as french } from '#words/fr/notifications.ts';
import { templateMessages as frenchMessages } from '#words/fr/template-messages.ts';
import { noticeIn } from '#words/texts.ts';
import type { SendResult } from './channel-runner.ts';

/** One HTTP request of a channel. */
type ChannelRequest = {
  readonly url: string;
  readonly mayReachHub: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type ChannelPorts = {
  /** To the LAN only, without redirects, with a limit of time. Never rejects for a failure. */
  readonly post: (request: ChannelRequest, signal: AbortSignal) => Promise<SendResult>;
  /** The signature of a body, as webhooks have it. */
  readonly sign: (secret: string, body: Buffer, wallMs: number) => string;
  /** As the API shows it. */
  readonly jsonOf: (notification: Notification) => object;
  readonly wallMs: () => number;
};

/** The publishing side of a broker. Rejects while it is not connected. */
export type Publish = (topic: string, payload: string, retain: boolean) => Promise<SendResult>;

const TEXTS = new Map([
  ['de', german],
  ['fr', french],
  ['es', spanish],
]);

/** A notification with the hub's own words in its language: a tag of BCP 47, `null` for English. */
export function wordedIn(language: string | null, notification: Notification): Notification {
  const own = languageOf(language);
  const texts = TEXTS.get(own);
  return texts === undefined ? notification : { ...notification, ...noticeIn(texts, notification, own) };
}

const MESSAGES = new Map([
  ['de', germanMessages],
  ['fr', frenchMessages],
  ['es', spanishMessages],
]);

/** Finds what automations of the hub's own templates tell in a language, by its tag; `undefined` for English and others. */
export function templateMessagesIn(language: string | null): Readonly<Record<string, string>> | undefined {
  return MESSAGES.get(languageOf(language));
}

function languageOf(tag: string | null): string {
  return tag?.toLowerCase().split('-')[0] ?? '';
}

/** Below the 4,096 bytes from which ntfy makes a file of a message. */
const NTFY_BYTES = 4_000;
const NTFY: Readonly<Record<Severity, { readonly priority: number; readonly tags: readonly string[] }>> = {
  info: { priority: 3, tags: [] },
  warning: { priority: 4, tags: ['warning'] },
  critical: { priority: 5, tags: ['rotating_light'] },
};

/** The message for an ntfy server, as JSON to its root, where titles may have any character. */
export function ntfyRequest({ url, topic, secret, mayReachHub }: Channel, notification: Notification): ChannelRequest {
  const { title, text, severity } = notification;
  // Without a message ntfy would show the word "triggered".
  const words = text === '' ? { message: title } : { title, message: cut(text) };
  const body = Buffer.from(JSON.stringify({ topic, ...words, ...NTFY[severity] }));
  const authorization = secret === null ? {} : { Authorization: `Bearer ${secret}` };
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'hearthd', ...authorization };
  return { url: url ?? '', mayReachHub, headers, body };
}

export function webhookRequest(
  { id, url, secret, mayReachHub }: Channel,
  notification: Notification,
  { jsonOf, sign, wallMs }: Pick<ChannelPorts, 'jsonOf' | 'sign' | 'wallMs'>,
): ChannelRequest {
  const body = Buffer.from(JSON.stringify({ notification: withoutDeliveries(jsonOf(notification)) }));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'hearthd',
    'Hearthd-Channel': id,
    'Hearthd-Notification': notification.id,
    'Hearthd-Signature': sign(secret ?? '', body, wallMs()),
  };
  return { url: url ?? '', mayReachHub, headers, body };
}

export function mqttTopic({ id }: Pick<Notification, 'id'>): string {
  return `hearthd/notification/${id}`;
}

/** An empty payload takes a kept message off the broker. */
export function mqttPayload(
  notification: Notification,
  what: 'show' | 'close',
  jsonOf: ChannelPorts['jsonOf'],
): string {
  return what === 'close' ? '' : JSON.stringify(withoutDeliveries(jsonOf(notification)));
}

/** A receiver need not know the hub's other channels. */
function withoutDeliveries(json: object): object {
  return Object.fromEntries(Object.entries(json).filter(([name]) => name !== 'deliveries'));
}

function cut(text: string): string {
  if (Buffer.byteLength(text) <= NTFY_BYTES) return text;
  // A character that the cut would split is left out.
  const head = new TextDecoder().decode(Buffer.from(text).subarray(0, NTFY_BYTES), { stream: true });
  return `${head}…`;
}
