import { type Note, TAG_HEADERS } from '#http/note/note.ts';

const TIME = '2026-11-21T04:06:22.000Z';

const channelExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000070',
  type: 'ntfy',
  name: 'Phones',
  enabled: true,
  min_severity: 'warning',
  person: null,
  url: 'http://192.168.1.9/',
  topic: 'home',
  has_token: true,
  broker: null,
  status: 'ok',
  failing_since: null,
  last_attempt: { at: TIME, accepted: true, status: 200, error: null },
  revision: 1,
  created_at: TIME,
  updated_at: TIME,
});

export const listNotificationChannels: Note = () => ({ answerExample: [channelExample()] });

export const getNotificationChannel: Note = () => ({
  ...TAG_HEADERS.read,
  wordedId: true,
  answerExample: channelExample(),
});

export const createNotificationChannel: Note = () => ({
  ...TAG_HEADERS.made,
  description: [
    'A channel sends one notification at a time, the most urgent first, and waits for no other channel. What the other side does not take is sent again, at last every five minutes, for six hours, or a day if it is critical; an answer with a 4xx status is final. After a restart of the hub something may come twice.',
    'A `webhook` gets `POST` with `{"notification": {…}}`, signed as other webhooks are (`Hearthd-Signature`), with the secret that only this answer shows. `ntfy` is a server in the home: phones with Android have its messages by the app of ntfy; iPhones have them at once only if that server passes a wake-up to ntfy.sh (`upstream-base-url`), which is on the internet. `mqtt` keeps each open notification as a retained message on `hearthd/notification/<id>` and takes it away when nobody needs it any more.',
    'Only an owner can set a URL that leads to the machine of the hub: for other callers the answer is 422. Needs a login.',
  ].join('\n\n'),

  bodyExample: { type: 'ntfy', url: 'http://192.168.1.9', topic: 'home', token: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' },
  problems: ['LIMIT_REACHED'],
});

export const updateNotificationChannel: Note = () => ({
  ...TAG_HEADERS.change,
  wordedId: true,
  description: 'Needs a login.',
  bodyExample: { min_severity: 'critical' },
  problems: ['NOT_SUPPORTED'],
});

export const removeNotificationChannel: Note = () => ({
  ...TAG_HEADERS.remove,
  wordedId: true,
  problems: ['NOT_SUPPORTED'],
});

export const testNotificationChannel: Note = () => ({
  wordedId: true,
  description: 'Also by a channel that is switched off. Needs a login.',
  problems: ['NOT_SUPPORTED'],
  answerExample: { at: TIME, accepted: true, status: 200, error: null },
});
