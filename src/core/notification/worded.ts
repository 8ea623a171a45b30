import { notificationTexts } from '#words/en/notifications.ts';
import { type HolesOf, noticeIn, type Values } from '#words/texts.ts';
import type { Notification } from './notification.ts';

type Texts = typeof notificationTexts;
type HolesIn<Id extends keyof Texts> = HolesOf<Texts[Id][keyof Texts[Id]]>;

/** Gives the hub's words under an id, in English too. `text` is for an id that has only a title. */
export function worded<Id extends keyof Texts>(
  id: Id,
  values: Values<HolesIn<Id>> & Values,
  text = '',
): Pick<Notification, 'title' | 'text' | 'wording'> {
  const wording = { id, with: values };
  return { ...noticeIn(notificationTexts, { title: '', text, wording }), wording };
}

/** One message says of several of these how many they are, and which. */
const GROUPED = ['battery_low', 'device_offline', 'integration_down'] as const;

/** The kind by which a notification is like others; `undefined` where it stands for itself, as all that is critical does. */
export function likeKindOf({ severity, builtIn }: Notification): (typeof GROUPED)[number] | undefined {
  return severity === 'critical' ? undefined : GROUPED.find((kind) => kind === builtIn);
}

/** The first of some likes, in words that hold for all of them. */
export function together<Like extends Notification>(likes: readonly [Like, ...(readonly Like[])]): Like {
  const [first] = likes;
  const kind = likeKindOf(first);
  if (kind === undefined) return first;
  const which = likes.map(({ wording, title }) => wording?.with['device'] ?? wording?.with['integration'] ?? title);
  return { ...first, ...worded(`${kind}_many`, { count: likes.length, which: which.join('\n') }) };
}
