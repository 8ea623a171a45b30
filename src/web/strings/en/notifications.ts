import type { NotificationChannel } from '#web/client/api.ts';

export const notifications = {
  title: 'Notifications',
  nothing: 'Nothing needs your attention.',
  acknowledge: 'Got it',
  acknowledgeOf: (title: string) => `Got it: ${title}`,
  acknowledgeAll: 'Mark all as seen',
  likesShow: 'Show all',
  earlier: (count: number) => `Earlier (${count})`,
  settings: 'Settings',
  severity: { info: 'For your information', warning: 'Warning', critical: 'Critical' },
  state: { acknowledged: 'Seen', resolved: 'Over' },

  quiet: 'Quiet hours',
  quietText:
    'In this time your own channels send you only what is critical. The rest comes at its end. The list behind the bell always has everything.',
  quietOn: 'Keep quiet at night',
  from: 'From',
  to: 'To',
  quietSaved: 'Your quiet hours are saved.',

  builtIn: 'What the hub notices by itself',
  builtIns: {
    water: 'Water where there should be none',
    smoke: 'Smoke',
    carbon_monoxide: 'Carbon monoxide',
    gas: 'Gas',
    lock_jammed: 'A jammed lock',
    battery_low: 'A low battery',
    device_offline: 'A device that is offline for a day',
    integration_down: 'An integration that is down for five minutes',
    backup_failed: 'A backup that failed',
    disk_nearly_full: 'A nearly full disk',
    history_paused: 'A history that is paused',
  } as Readonly<Record<string, string>>,

  channels: 'Where they go',
  channelsText:
    'This page always shows them. “Sent” means that the other side took it; whether a person saw it, the hub cannot know.',
  types: { page: 'This page', webhook: 'Webhook', ntfy: 'ntfy', mqtt: 'MQTT' } satisfies Readonly<
    Record<NotificationChannel['type'], string>
  >,
  always: 'Always',
  status: { ok: 'Works', failing: 'Fails: the hub tries again', off: 'Off' } satisfies Readonly<
    Record<NotificationChannel['status'], string>
  >,
  least: {
    info: 'Everything',
    warning: 'Warnings and what is critical',
    critical: 'Only what is critical',
  },
  ofPerson: (name: string) => `for ${name}`,
  test: 'Test',
  testOf: (name: string) => `Test ${name}`,
  testSent: (name: string) => `${name} took the test.`,
  testFailed: (name: string, why: string) => `${name} did not take the test: ${why}`,
  change: 'Change',
  changeOf: (name: string) => `Change ${name}`,
  changeTitle: (name: string) => `Change ${name}`,
  changed: (name: string) => `${name} was changed.`,
  isOn: 'Send notifications there',
  tokenKept:
    'The hub has one and does not show it. Leave this empty to keep it; with another address it is needed again.',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'Notifications no longer go there.',
  removed: (name: string) => `${name} was removed.`,

  add: 'Add a channel',
  adding: 'Adding…',
  kind: 'Kind',
  kinds: { ntfy: 'ntfy server at home', webhook: 'Webhook', mqtt: 'MQTT' } satisfies Readonly<
    Record<Exclude<NotificationChannel['type'], 'page'>, string>
  >,
  ntfyHint:
    'Phones with Android get it at once with the app of ntfy. iPhones do only if your server passes a wake-up to ntfy.sh on the internet (upstream-base-url).',
  mqttHint: 'Open notifications are kept as messages on hearthd/notification/….',
  name: 'Name',
  url: 'Address',
  topic: 'Topic',
  token: 'Access token',
  tokenHint: 'Only if the server wants one.',
  broker: 'Broker',
  noBroker: 'There is no broker yet. Add one under Integrations.',
  minSeverity: 'What it sends',
  person: 'For',
  home: 'The home',
  me: 'Me, outside of my quiet hours',
  added: (name: string) => `${name} was added.`,
  secret: 'Secret of its signatures',
  secretText: 'Copy it now: the hub does not show it again.',
};
