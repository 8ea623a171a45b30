import {
  type Check,
  either,
  ifThere,
  isWhole,
  isFlag,
  isId,
  isNumber,
  isObject,
  isText,
  listOf,
  oneOf,
  orNull,
  recordOf,
  valuesOf,
} from '#core/records/record-check.ts';
import { type Channel, CHANNEL_TYPES, type ChannelId } from '#core/notification/channel.ts';
import { type Notification, type NotificationId, SEVERITIES } from '#core/notification/notification.ts';
import { type QuietHours, TIME_OF_DAY } from '#core/notification/quiet-hours.ts';
import { jsonOf, plain, recordColumnsOf, saveSql } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Notification>({ id: plain('id') });
const CHANNELS = recordColumnsOf<Channel>({ id: plain('id'), secret: plain<string | null>('secret') });
const SAVE = saveSql('notification', COLUMNS.names);
const SAVE_CHANNEL = saveSql('notification_channel', CHANNELS.names);

const isNotificationRecord = recordOf<Notification>({
  severity: oneOf(SEVERITIES),
  title: isText,
  text: isText,
  key: orNull(isText),
  builtIn: orNull(isText),
  count: isNumber,
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  to: listOf(isText),
  deviceId: orNull(isId),
  source: recordOf<Notification['source']>({ kind: isText, id: isText }),
  repeatS: orNull(isNumber),
  resolvedAtMs: orNull(isNumber),
  acknowledged: orNull(recordOf({ atMs: isNumber, by: isText })),
  actions: ifThere(
    listOf(
      either(
        recordOf({ label: isText, command: isObject }),
        recordOf({ label: isText, command: (command) => command === undefined, sceneId: isText }),
      ),
    ),
  ),
  wording: ifThere(recordOf({ id: isText, with: valuesOf(either(isText, isNumber)) })),
  deliveries: listOf(
    recordOf<Notification['deliveries'][number]>({
      channel: isText,
      state: isText,
      attempts: isNumber,
      atMs: isNumber,
      error: orNull(recordOf({ code: isText, message: isText })),
    }),
  ),
});
const isChannelRecord = recordOf<Channel>({
  type: oneOf(CHANNEL_TYPES),
  minSeverity: oneOf(SEVERITIES),
  name: isText,
  userId: orNull(isId),
  url: orNull(isText),
  topic: orNull(isText),
  broker: orNull(isText),
  enabled: isFlag,
  mayReachHub: isFlag,
  revision: ifThere(isWhole),
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
});
const isTime: Check = (time) => typeof time === 'string' && TIME_OF_DAY.test(time);
const isQuietHours = recordOf<QuietHours>({ from: isTime, to: isTime });

/** Notifications, the channels by which they leave the hub, and the quiet hours of people. */
export const notificationTable = {
  open: openNotificationTable,
  checks: [
    { since: 13, table: 'notification', json: { record: isNotificationRecord } },
    { since: 13, table: 'notification_channel', json: { record: isChannelRecord } },
    { since: 13, table: 'quiet_hours', json: { record: isQuietHours } },
  ],
} satisfies StoredNoun;

function openNotificationTable({ database, sound }: NounDeps) {
  return {
    loadNotifications: read((): Notification[] =>
      sound('notification', database.all('SELECT * FROM notification')).map(COLUMNS.fromRow),
    ),
    saveNotifications: write((saved: readonly Notification[], removed: readonly NotificationId[]): void =>
      database.transaction(() => {
        for (const id of removed) database.run('DELETE FROM notification WHERE id = ?', [id]);
        for (const one of saved) database.run(SAVE, COLUMNS.valuesOf(one));
      }),
    ),
    loadChannels: read((): Channel[] =>
      sound('notification_channel', database.all('SELECT * FROM notification_channel ORDER BY id')).map(
        CHANNELS.fromRow,
      ),
    ),
    saveChannel: write((channel: Channel): void => void database.run(SAVE_CHANNEL, CHANNELS.valuesOf(channel))),
    deleteChannel: write(
      (id: ChannelId): void => void database.run('DELETE FROM notification_channel WHERE id = ?', [id]),
    ),
    loadQuietHours: read((): ReadonlyMap<string, QuietHours> => {
      const rows = sound('quiet_hours', database.all('SELECT user, record FROM quiet_hours'));
      return new Map(rows.map(({ user, record }) => [user as string, jsonOf(record) as unknown as QuietHours]));
    }),
    saveQuietHours: write((user: string, hours: QuietHours | null): void =>
      database.transaction(() => {
        database.run('DELETE FROM quiet_hours WHERE user = ?', [user]);
        if (hours === null) return;
        // The user may have been removed meanwhile.
        const sql = 'INSERT INTO quiet_hours (user, record) SELECT id, ? FROM user WHERE id = ?';
        database.run(sql, [JSON.stringify(hours), user]);
      }),
    ),
  };
}
