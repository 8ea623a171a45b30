import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceId } from '#core/device/device.ts';
import { RECORDING_MODES, type StoredRecording } from '#core/past/history/recording-settings.ts';
import { insertSql, json, plain, recordColumnsOf } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<StoredRecording>({ deviceId: plain('device'), key: json('key') });
const SAVE = `${insertSql('recording', COLUMNS.names)} ON CONFLICT (device, key) DO UPDATE SET record = excluded.record`;

/** How features are recorded, where a person decided it. */
export const recordingTable = {
  open: openRecordings,
  checks: [{ since: 12, table: 'recording', integers: ['number'], json: { key: isText, record: isRecordingRecord } }],
} satisfies StoredNoun;

function openRecordings({ database, sound }: NounDeps) {
  return {
    loadRecordings: read((): StoredRecording[] =>
      sound('recording', database.all('SELECT * FROM recording')).map(COLUMNS.fromRow),
    ),
    saveRecording: write((recording: StoredRecording): void => void database.run(SAVE, COLUMNS.valuesOf(recording))),
    deleteRecording: write((deviceId: DeviceId, key: string): void => {
      database.run('DELETE FROM recording WHERE device = ? AND key = ?', [deviceId, JSON.stringify(key)]);
    }),
  };
}

function isText(key: JsonValue): boolean {
  return typeof key === 'string';
}

function isRecordingRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { mode, minIntervalS, deadband } = record;
  const isNullOrNumber = (value: JsonValue | undefined): boolean => value === null || typeof value === 'number';
  return RECORDING_MODES.some((one) => one === mode) && isNullOrNumber(minIntervalS) && isNullOrNumber(deadband);
}
