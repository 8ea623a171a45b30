import { type Note, TAG_HEADERS } from '#http/note/note.ts';

const TIME = '2026-11-21T04:06:22.000Z';

const notificationExample = () => ({
  id: '0198f1c2-7d6e-7000-8000-000000000060',
  severity: 'critical',
  title: 'Water: Kitchen sink',
  text: 'The sensor reports water.',
  reason: { id: 'water', with: { device: 'Kitchen sink', room: 'Kitchen' } },
  to: ['role:owner', 'role:admin', 'role:resident'],
  key: 'hub:water:0198f1c2-7d6e-7000-8000-000000000001',
  built_in: 'water',
  device: '0198f1c2-7d6e-7000-8000-000000000001',
  source: { kind: 'hub', id: 'water' },
  actions: [],
  count: 1,
  repeat_s: 300,
  state: 'open',
  created_at: TIME,
  updated_at: TIME,
  acknowledged_at: null,
  acknowledged_by: null,
  resolved_at: null,
  deliveries: [
    { channel: '0198f1c2-7d6e-7000-8000-000000000070', state: 'accepted', attempts: 1, at: TIME, error: null },
  ],
});

export const listNotifications: Note = () => ({
  description:
    'The hub keeps 500 notifications for 90 days. Guests get those that name them or their role, and nobody gets those about a device that is hidden from them. But smoke, gas, carbon monoxide and water reach everyone who may be inside: callers that would see nothing of one get it in short until it is over, its kind and its room with an empty `to`, and cannot acknowledge it.',
  answerHeaders: { 200: ['X-Total-Count'] },
  answerExample: { notifications: [notificationExample()], next: null },
});

export const getNotification: Note = () => ({ answerExample: notificationExample() });

export const createNotification: Note = () => ({
  description: [
    'With a `key`, it takes the place of the last notification with this key that is not resolved (200), and needs attention again. `resolve_key` says that the notification with that key is over; without a `title` the answer shows it (200), or 204 if there is none.',
    'A key is shown once in ten seconds, with the newest content, and a source 60 times an hour: what is more counts in one digest of that source. The answer is then 202, and what waits is lost in a power cut. After 200 and 201 the notification is on disk.',
    'A critical notification comes again every `repeat_s` seconds until somebody acknowledges it, and pays no heed to quiet hours.',
    'The page shows `actions` as buttons, and takes note of the notification after one of them worked. They also go to webhooks and MQTT. The hub never does them by itself. One for what needs `device:control_sensitive` is refused (403) to callers without that right.',
  ].join('\n\n'),
  bodyExample: {
    title: 'Everybody has left',
    key: 'lights',
    actions: [{ label: 'Turn off the kitchen', command: { targets: { room: 'kitchen' }, set: { on: false } } }],
  },
  answerHeaders: { 201: ['Location'] },
  answerExample: notificationExample(),
});

export const acknowledgeNotification: Note = () => ({
  description:
    'For the whole home; a danger in short (an empty `to`) is refused (403). It is on disk when the answer comes. A notification that is acknowledged or resolved already stays as it is.',
  answerExample: {
    ...notificationExample(),
    state: 'acknowledged',
    acknowledged_at: TIME,
    acknowledged_by: '0198f1c2-7d6e-7000-8000-000000000080',
  },
});

export const getNotificationSettings: Note = () => ({ isInternal: true, answerHeaders: { 200: ['ETag'] } });

export const updateNotificationSettings: Note = () => ({
  ...TAG_HEADERS.change,
  isInternal: true,
  description:
    'What is switched off is over and does not come again; what is switched on is looked for at once. Needs a login.',
  bodyExample: { built_in: { battery_low: false } },
});
