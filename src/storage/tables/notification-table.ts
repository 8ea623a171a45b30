import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
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

const isText = (value: JsonValue | undefined): boolean => typeof value === 'string';
const isTextOrNull = (value: JsonValue | undefined): boolean => value === null || typeof value === 'string';
const isNumber = (value: JsonValue | undefined): boolean => typeof value === 'number';
const isOneOf = (words: readonly string[], value: JsonValue | undefined): boolean =>
  typeof value === 'string' && words.includes(value);
const areActions = (value: JsonValue): boolean =>
  Array.isArray(value) &&
  value.every((one) => {
    if (!isJsonObject(one)) return false;
    const { label, sceneId, command } = one;
    return isText(label) && (command === undefined ? isText(sceneId) : isJsonObject(command));
  });

function isNotificationRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { to, source, acknowledged, resolvedAtMs, repeatS, deviceId, actions, deliveries, wording } = record;
  return (
    isOneOf(SEVERITIES, record['severity']) &&
    ['title', 'text'].every((field) => isText(record[field])) &&
    ['key', 'builtIn'].every((field) => isTextOrNull(record[field])) &&
    ['count', 'createdAtMs', 'updatedAtMs'].every((field) => isNumber(record[field])) &&
    Array.isArray(to) &&
    to.every(isText) &&
    (deviceId === null || (typeof deviceId === 'string' && isUuid(deviceId))) &&
    source !== undefined &&
    isJsonObject(source) &&
    isText(source['kind']) &&
    isText(source['id']) &&
    (repeatS === null || isNumber(repeatS)) &&
    (resolvedAtMs === null || isNumber(resolvedAtMs)) &&
    (acknowledged === null || isAcknowledgement(acknowledged)) &&
    (actions === undefined || areActions(actions)) &&
    (wording === undefined || isWording(wording)) &&
    Array.isArray(deliveries) &&
    deliveries.every(isDelivery)
  );
}

function isWording(value: JsonValue): boolean {
  if (!isJsonObject(value) || !isText(value['id'])) return false;
  const { with: values } = value;
  return (
    values !== undefined && isJsonObject(values) && Object.values(values).every((one) => isText(one) || isNumber(one))
  );
}

function isAcknowledgement(value: JsonValue | undefined): boolean {
  return value !== undefined && isJsonObject(value) && isNumber(value['atMs']) && isText(value['by']);
}

function isDelivery(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { channel, state, attempts, atMs, error } = value;
  const isWell =
    error === null || (error !== undefined && isJsonObject(error) && isText(error['code']) && isText(error['message']));
  return isText(channel) && isText(state) && isNumber(attempts) && isNumber(atMs) && isWell;
}

function isChannelRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  return (
    isOneOf(CHANNEL_TYPES, record['type']) &&
    isOneOf(SEVERITIES, record['minSeverity']) &&
    isText(record['name']) &&
    (record['userId'] === null || (typeof record['userId'] === 'string' && isUuid(record['userId']))) &&
    ['url', 'topic', 'broker'].every((field) => isTextOrNull(record[field])) &&
    ['enabled', 'mayReachHub'].every((field) => typeof record[field] === 'boolean') &&
    ['createdAtMs', 'updatedAtMs'].every((field) => isNumber(record[field]))
  );
}

function isQuietHours(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { from, to } = record;
  return typeof from === 'string' && typeof to === 'string' && TIME_OF_DAY.test(from) && TIME_OF_DAY.test(to);
}
