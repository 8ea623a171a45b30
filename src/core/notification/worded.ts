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
