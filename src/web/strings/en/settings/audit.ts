import type { AuditEntry } from '#web/client/api.ts';
import { counted, listed } from '#web/strings/en/grammar.ts';

/** An entry of the audit log, by names. `isOwn`: they did it to their own account. */
type AuditWords = {
  readonly who: string;
  readonly whom: string | null;
  readonly isOwn: boolean;
  readonly detail: string | null;
};

type Sentence = (entry: AuditWords) => string;

/** The words of the audit log in English, by the rules of `en.ts`. */
export const audit = {
  title: 'Audit log',
  filter: 'Show',
  filters: { all: 'All', changes: 'Changes', doors: 'Doors', logins: 'Logins', refusals: 'Refused' },
  empty: 'No entries of this kind.',
  older: 'Show older entries',
  end: 'No older entries.',
  gone: 'Someone whose account was removed',
  console: 'Someone at the hub’s command line',
  hub: 'The hub',
  from: (peer: string) => `From ${peer}`,
  byToken: 'with an API token',
  times: (count: number) => `${count} times`,
  timesSince: (count: number, since: string) => `${count} times since ${since}`,
  clockUnset:
    'No time server has confirmed the times with ≈: they go by what a person said, or are a guess. The order is right.',
  marks: {
    'in all off by its type': 'All off as its type has it',
    'not in all off': 'stays on at All off',
    'in all off': 'goes off at All off',
    'not sensitive': 'not protected',
    sensitive: 'protected',
  } as Readonly<Record<string, string>>,
  details: {
    automation: (who: string, name: string, done: string) => `${who} ${done} the automation ${name}.`,
    done: {
      changed: 'changed',
      started: 'started',
      stopped: 'stopped',
      reset: 'released',
      reverted: 'went back to an earlier version of',
      enabled: 'turned on',
      disabled: 'turned off',
      signed: 'approved',
      restored: 'restored',
    },
    resumed: (who: string) => `${who} let all automations go on.`,
    template: (who: string, id: string, isRemoved: boolean) =>
      `${who} ${isRemoved ? 'removed' : 'changed'} the template ${id}.`,
    replaced: (who: string, from: string, to: string) => `${who} put ${to} in the place of ${from} in automations.`,
    kept: (days: number, size: string | null, rules: number) =>
      listed([
        counted(days, 'day', 'days'),
        ...(size === null ? [] : [`at most ${size}`]),
        counted(rules, 'rule', 'rules'),
      ]),
    series: (count: number) => counted(count, 'series', 'series'),
    consumers: (count: number) => counted(count, 'consumer', 'consumers'),
    switched: (what: string, isOn: boolean) => `“${what}” ${isOn ? 'on' : 'off'}`,
  },
  sentences: {
    'hub.claimed': ({ who }) => `${who} became the owner of this hub.`,
    'user.added': ({ who, whom, detail }) =>
      detail === null ? `${who} added ${whom}.` : `${who} added ${whom}, as ${detail}.`,
    'user.changed': ({ who, whom, isOwn, detail }) =>
      isOwn
        ? `${who} changed their own account${fields(detail)}.`
        : `${who} changed the account of ${whom}${fields(detail)}.`,
    'user.ended': ({ who }) => `The account of ${who} closed, because its time was over.`,
    'user.removed': ({ who }) => `${who} removed an account.`,
    'password.changed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} changed their password.` : `${who} set a new password for ${whom}.`,
    'api_token.added': ({ who }) => `${who} created an API token.`,
    'api_token.removed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} revoked an API token.` : `${who} revoked an API token of ${whom}.`,
    'backup.made': ({ who }) => `${who} made a backup.`,
    'backup.downloaded': ({ who }) => `${who} downloaded a backup.`,
    'backup.restored': ({ who }) => `${who} restored a backup.`,
    'history.imported': ({ who }) => `${who} imported history.`,
    'hub.renamed': ({ who }) => `${who} renamed the hub.`,
    'hub.changed': ({ who }) => `${who} changed the hub’s language, place or time.`,
    'integration.added': ({ who, detail }) => `${who} added the integration ${detail}.`,
    'integration.changed': ({ who, detail }) => `${who} changed the settings of ${settings(detail)}.`,
    'integration.removed': ({ who, detail }) => `${who} removed the integration ${removed(detail)}.`,
    'integration.ignored': ({ who, detail }) => `${who} hid something of kind ${detail} that the hub discovered.`,
    'integration.restored': ({ who, detail }) =>
      `${who} no longer hides something of kind ${detail} that the hub discovered.`,
    'pairing.opened': ({ who }) => `${who} let new devices join.`,
    'automation.added': ({ who, detail }) => `${who} added the automation ${detail}.`,
    'automation.changed': ({ who, detail }) => `${who} changed the automation ${detail}.`,
    'automation.called': ({ detail }) => `The hook ${detail} was called.`,
    'automation.removed': ({ who, detail }) => `${who} put the automation ${detail} into the trash.`,
    'device.removed': ({ who, detail }) => `${who} removed the device ${detail}.`,
    'device.marked': ({ who, detail }) => `${who} marked a device: ${detail}.`,
    'recording.changed': ({ who, detail }) => `${who} changed what is recorded: ${detail}.`,
    'history.changed': ({ who, detail }) => `${who} changed how long history is kept: ${detail}.`,
    'history.deleted': ({ who, detail }) => `${who} deleted history: ${detail}.`,
    'energy.changed': ({ who }) => `${who} changed the settings of energy.`,
    'energy.deleted': ({ who, detail }) => `${who} deleted accounts of energy: ${detail}.`,
    'energy.recalculated': ({ who, detail }) => `${who} recalculated the cost of energy from ${detail}.`,
    'webhook.added': ({ who, detail }) => `${who} added a webhook to ${detail}.`,
    'webhook.changed': ({ who, detail }) => `${who} changed the webhook to ${detail}.`,
    'webhook.removed': ({ who, detail }) => `${who} removed the webhook to ${detail}.`,
    'notification_channel.added': ({ who, detail }) => `${who} added the channel ${detail}.`,
    'notification_channel.changed': ({ who, detail }) => `${who} changed the channel ${detail}.`,
    'notification_channel.removed': ({ who, detail }) => `${who} removed the channel ${detail}.`,
    'notification.changed': ({ who, detail }) => `${who} changed notifications: ${detail}.`,
    'exporter.added': ({ who, detail }) => `${who} added an export to ${detail}.`,
    'exporter.changed': ({ who, detail }) => `${who} changed the export to ${detail}.`,
    'exporter.removed': ({ who, detail }) => `${who} removed the export to ${detail}.`,
    'exporter.replayed': ({ who, detail }) => `${who} sent the history to ${detail} again.`,
    'command.given': ({ who, detail }) => `${who} sent a command to ${detail}.`,
    'token.reused': ({ whom }) =>
      `A login of ${whom} was ended, because its token was used twice and may have been stolen. If in doubt, change the password.`,
    'login.succeeded': ({ who }) => `${who} logged in.`,
    'session.revoked': ({ who, detail }) =>
      detail === 'logout'
        ? `${who} logged out.`
        : detail === 'all_others'
          ? `${who} logged out everywhere else.`
          : `${who} ended a login.`,
    'login.failed': ({ whom }) =>
      whom === null
        ? 'Someone tried to log in with an unknown e-mail address.'
        : `Someone tried to log in as ${whom} with a wrong password.`,
    'login.throttled': ({ whom }) =>
      whom === null
        ? 'Too many login attempts were slowed down.'
        : `Too many attempts to log in as ${whom} were slowed down.`,
    'wall_code.refused': ({ who }) => `${who} entered the digits of a wall tablet that no tablet shows.`,
    'password.refused': ({ who }) => `${who} entered a wrong password when asked for it.`,
    'claim.failed': () => 'Someone tried a wrong claim code.',
    'token.refused': () => 'Someone used an invalid token.',
    'request.refused': ({ detail }) => `A request was refused${refusal(detail)}.`,
  } satisfies Readonly<Record<AuditEntry['type'], Sentence>> as Readonly<Record<string, Sentence>>,
};

const FIELDS: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  name: 'name',
  password: 'password',
  role: 'role',
};

/** `email,name` → `: e-mail address and name`. */
function fields(detail: string | null): string {
  const names = (detail ?? '').split(',').flatMap((name) => FIELDS[name] ?? []);
  return names.length === 0 ? '' : `: ${listed(names)}`;
}

const SETTINGS: Readonly<Record<string, string>> = {
  address: 'address',
  base_topic: 'base topic',
  enabled: 'on or off',
  name: 'name',
  password: 'password',
  user: 'user',
};

/** `bridge remove`: its devices were forgotten as well. */
function removed(detail: string | null): string {
  const [id = '', devices] = (detail ?? '').split(' ');
  return devices === 'remove' ? `${id} and its devices` : id;
}

/** `bridge address,password` → `bridge: address and password`. */
function settings(detail: string | null): string {
  const [id = '', names = ''] = (detail ?? '').split(' ');
  const words = names.split(',').flatMap((name) => SETTINGS[name] ?? []);
  return words.length === 0 ? id : `${id}: ${listed(words)}`;
}

/** `locked=false,pin front-door` → `front-door: locked = false and pin`. */
const REFUSALS: Readonly<Record<string, string>> = {
  peer: ' because it came from outside the home',
  proxied_request: ' because it came through a proxy',
  misdirected_request: ' because it was meant for another name',
  origin_refused: ' because a page from elsewhere sent it',
};

function refusal(detail: string | null): string {
  return detail === null ? '' : (REFUSALS[detail] ?? `: ${detail}`);
}
