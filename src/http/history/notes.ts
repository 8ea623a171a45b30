import { type Note, type OperationNote, TAG_HEADERS } from '#http/note/note.ts';

const AT = '2026-11-22T10:00:00.000Z';

const answerExample = () => ({
  from: '2026-11-21T10:00:00.000Z',
  to: AT,
  time_zone: 'Europe/Berlin',
  next: null,
  series: [
    {
      series: 'kitchen-sensor/temperature',
      device: { id: '0198f1c2-7d6e-7000-8000-000000000021', selector: 'kitchen-sensor' },
      key: 'temperature',
      kind: 'gauge',
      unit: 'celsius',
      resolution: 'points',
      columns: ['at', 'value'],
      rows: [['2026-11-21T10:04:10.000Z', 21.4]],
      before: ['2026-11-21T09:51:00.000Z', 21.3],
      gaps: [
        { from: '2026-11-21T23:10:00.000Z', to: '2026-11-21T23:12:30.000Z', reason: 'hub_off', from_uncertain: true },
      ],
      thinned: false,
      tier: 'raw',
      samples_from: null,
      summary: { min: 21.3, max: 21.4, mean: 21.39, known_s: 86_250, changes: 1 },
    },
  ],
});

const WHAT =
  'A sample is a change that the device reported; what was only sent is none. Between two samples the value holds, and in a gap nothing is known. What was reported up to this moment is included. Modes, variables and people are series too: `mode/home`, `variable/bedtime`, `presence/<user id>`, for callers who may see the present value and the whole home; presence of the last 30 days only. An answer has at most 50,000 raw rows; `next` is the `cursor` of the rest. Buckets are refused if there would be more of them.\n\nAn answer about a range whose ends are both given as times of the past has an `ETag`. In CSV (RFC 4180) a text from a device that a spreadsheet would run or misread begins with an apostrophe; of buckets of several kinds the table has the columns of all, and the columns `seconds` and `counts` have JSON.';

/** Closed ranges have a tag. */
const HEADERS = {
  requestHeaders: ['If-None-Match'],
  answerHeaders: {
    200: ['Link', 'ETag', 'Content-Encoding', 'Content-Disposition'],
    304: ['ETag'],
  },
  answerTypes: ['text/csv', 'application/x-ndjson'],
} as const satisfies Partial<OperationNote>;

export const getFeatureHistory: Note = () => ({
  ...HEADERS,
  description: `As \`GET /api/v1/history\` for one series. ${WHAT}`,
  problems: ['HISTORY_RANGE', 'NOT_SUPPORTED', 'OVERLOADED'],
  answerExample: answerExample(),
});

export const getHistory: Note = () => ({
  ...HEADERS,
  description: WHAT,
  problems: ['HISTORY_RANGE', 'NOT_FOUND', 'NOT_SUPPORTED', 'OVERLOADED'],
  answerExample: answerExample(),
});

export const listHistorySeries: Note = () => ({
  description:
    'In the order in which the devices came to the hub, and then by key; `mode/…`, `presence/…` and `variable/…` are last. Each can be asked for with `GET /api/v1/history`. What is kept of devices, features, modes and variables that are gone is only in the list with `removed=true`, by the id of the device; it is shown to callers that see the whole home, and deleted with `DELETE /api/v1/history`.',
  problems: ['OVERLOADED'],
  answerExample: {
    series: [
      {
        series: 'kitchen-sensor/temperature',
        device: { id: '0198f1c2-7d6e-7000-8000-000000000021', selector: 'kitchen-sensor' },
        key: 'temperature',
        kind: 'gauge',
        unit: 'celsius',
        first: '2026-03-01T08:12:30.000Z',
        last: AT,
        samples: 52_310,
        bytes: 71_204,
      },
    ],
    next: null,
  },
});

const recordingExample = () => ({ mode: 'auto', min_interval_s: null, deadband: 0.2, recorded: true });

export const getRecording: Note = () => ({
  answerHeaders: { 200: ['ETag'] },
  isInternal: true,
  description:
    'What nobody decided is `auto`. A feature that changes more than 300 times in five minutes is thinned by itself to the first, least, greatest and last value of each second. Where anything was left out, its history says `thinned`.',
  problems: ['NOT_SUPPORTED'],
  answerExample: recordingExample(),
});

export const updateRecording: Note = () => ({
  ...TAG_HEADERS.change,
  isInternal: true,
  description:
    'Turned off, the history has a gap with the reason `not_recorded` from now on; what was recorded stays. The value before a gap is always recorded, whatever the interval and the deadband. The settings stay through new names and restarts, also while the device is away.',
  problems: ['NOT_SUPPORTED', 'LIMIT_REACHED'],
  bodyExample: { deadband: 0.2 },
  answerExample: recordingExample(),
});

export const exportHistory: Note = () => ({
  description:
    'Everything that was recorded of each feature, mode and variable, and of people for 30 days, series after series, each in order of time: changes, and the beginnings of gaps with their reason. A value holds until the next line of its series. In CSV (RFC 4180) a text that a spreadsheet would run or misread begins with an apostrophe. `POST /api/v1/history/import` reads CSV and `ndjson`; InfluxDB, VictoriaMetrics and others read `line_protocol`, with times in milliseconds.\n\nThe answer is as long as what is kept, and is made as fast as it is read. At most two exports of a person run at a time, and eight in all. If one breaks off, `cursor` goes on from its last whole line. What is kept of devices that are gone is not in it.\n\n`layout=table` is for people with a spreadsheet, and no import reads it: UTF-8 with a byte order mark, the first row with the names of `series`, the first column with the local time of the hub as `2026-11-22 11:04:10`. An empty cell is not known, yes and no are 1 and 0, a press stands in the row of its moment only. In the hour that comes twice in autumn the rows keep their order. A table has all of its columns, so it cannot go on from a `cursor`.',
  answerTypes: ['text/csv', 'application/x-ndjson', 'text/plain'],
  answerHeaders: { 200: ['Content-Disposition', 'Content-Encoding'] },
  problems: ['HISTORY_RANGE', 'NOT_FOUND', 'OVERLOADED'],
  answerExample:
    'series,at,value,gap\r\nkitchen-sensor/temperature,2026-11-22T10:00:00.000Z,21.4,\r\nkitchen-sensor/temperature,2026-11-22T10:05:00.000Z,,offline\r\n',
});

export const importHistory: Note = () => ({
  description:
    'Takes what `GET /api/v1/history/export` gives, and CSV from elsewhere with a header that names the columns `series`, `at` and `value`, and `gap` if there are gaps. `at` is RFC 3339, or milliseconds since 1970. At most 16 MiB at a time.\n\nThe whole body is checked first. With a fault in any line the answer is 422, `errors` names the first 100 lines (`/17` is line 17), and nothing changes. A sample that is there already, by series and time, stays as it is, so the same body can be sent again, as after a power cut. A time that was deleted stays deleted, whatever is imported. Times in the future and before 2000 are refused. Samples that are older than what the hub keeps are removed with the others of their age.',
  upload: ['text/csv', 'application/x-ndjson', 'application/ndjson'],
  problems: [
    'INVALID_IMPORT',
    'UNSUPPORTED_MEDIA_TYPE',
    'PAYLOAD_TOO_LARGE',
    'REQUEST_TIMEOUT',
    'OVERLOADED',
    'STORAGE_UNAVAILABLE',
    'STORAGE_FULL',
  ],
  answerExample: {
    dry_run: false,
    lines: 52_310,
    added: 52_300,
    known: 10,
    skipped: 0,
    series: 3,
    from: '2026-03-01T08:12:30.000Z',
    to: AT,
  },
});

export const listTimelineLines: Note = () => ({
  description:
    'The logbook: changes of states, presses, comings and goings of devices, what became of commands, modes and variables, who came and went, and the life of devices, integrations and the hub; the newest first. Of measured values it has only what was commanded. A line says because of what and by whom, as far as the hub knows.\n\nIt is kept as long as the history, and has nothing of features that are not recorded. A caller sees the lines of its devices, those of commands that it may see, and those of the home if it sees the whole home. Very many lines in a short time are left out and counted. One answer looks at 50,000 lines at most, so it may have fewer than `limit` although `next` goes on.',
  problems: ['HISTORY_RANGE', 'NOT_FOUND', 'OVERLOADED'],
  answerExample: {
    lines: [
      {
        at: AT,
        type: 'feature.changed',
        device: { id: '0198f1c2-7d6e-7000-8000-000000000021', selector: 'kitchen-ceiling', name: 'Kitchen ceiling' },
        feature: { key: 'on', value: true },
        cause: {
          command: '0198f1c2-7d6e-7000-8000-000000000031',
          scene: null,
          automation: null,
          run: null,
          depth: 0,
        },
        by: {
          type: 'session',
          id: '0198f1c2-7d6e-7000-8000-000000000041',
          user: { id: '0198f1c2-7d6e-7000-8000-000000000051', name: 'Ada' },
        },
      },
      {
        at: '2026-11-22T09:58:12.300Z',
        type: 'availability.changed',
        device: { id: '0198f1c2-7d6e-7000-8000-000000000021', selector: 'kitchen-ceiling', name: 'Kitchen ceiling' },
        availability: { state: 'offline' },
        cause: null,
        by: null,
      },
    ],
    next: null,
  },
});

export const removeHistory: Note = () => ({
  description:
    'Only for an owner who is logged in. From the answer on nobody can read it any more, not after a power cut either, and exports leave it out. A gap with the reason `deleted` takes its place; what held at its end holds from there on. The bytes, also those of the copies in the backups, are overwritten soon afterwards, or before the answer with `secure`. What an export or a file that was set aside as damaged holds is out of reach.',
  problems: ['HISTORY_RANGE', 'NOT_FOUND', 'LIMIT_REACHED'],
  answerExample: { series: 3, from: '2026-11-21T10:00:00.000Z', to: AT, dry_run: false },
});

const settingsExample = () => ({
  raw_days: 400,
  max_bytes: null,
  per: [{ match: { capability: 'illuminance' }, recording: 'auto', raw_days: 30 }],
  bytes: 41_205_760,
  removes: { months: [], bytes: 0 },
});

export const getHistorySettings: Note = () => ({
  answerHeaders: { 200: ['ETag'] },
  isInternal: true,
  description:
    'Of months that go, the hours stay: the least, greatest and mean of each hour, and what counters counted.',
  answerExample: settingsExample(),
});

export const updateHistorySettings: Note = () => ({
  ...TAG_HEADERS.change,
  isInternal: true,
  description:
    'What is to go is in `removes`, and goes within the hour; `dry_run` shows it before. While the clock of the hub is not set, nothing goes. `per` replaces the whole list of rules. Samples that a rule keeps for fewer days go once a month of them is too old, because overwriting a part of a month writes all of it. A feature that a rule turns off has a gap with the reason `not_recorded`.',
  bodyExample: { raw_days: 400 },
  answerExample: settingsExample(),
});
