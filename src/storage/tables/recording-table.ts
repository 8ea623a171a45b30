import { isNumber, isText, oneOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { DeviceId } from '#core/device/device.ts';
import { RECORDING_MODES, type StoredRecording } from '#core/past/history/recording-settings.ts';
import { insertSql, json, plain, recordColumnsOf } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<StoredRecording>({ deviceId: plain('device'), key: json('key') });
const SAVE = `${insertSql('recording', COLUMNS.names)} ON CONFLICT (device, key) DO UPDATE SET record = excluded.record`;

const isRecordingRecord = recordOf<StoredRecording>({
  mode: oneOf(RECORDING_MODES),
  minIntervalS: orNull(isNumber),
  deadband: orNull(isNumber),
});

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
