import type { JsonValue } from '#base/json.ts';
import { PLAIN_VIEW } from '#core/home-view/home-view.ts';
import { type Database, openDatabase, type SqlRow } from '#storage/engine/database.ts';
import { storageInProcess } from '#storage/storage.ts';
import { type Bench, sqlite } from '#test/storage/storage-harness.ts';
import * as make from '#test/storage/storage-makers.ts';

const DEVICE = make.makeDevice(1, {
  roomId: make.makeRoom(1).id,
  measures: [{ capability: 'temperature', unit: null, described: make.makeFeature('temperature') }],
});

/** Fills a hub's state with one good record of each kind. What one may call is on this machine. */
export async function keepOneOfEach(bench: Bench): Promise<void> {
  const storage = storageInProcess(await bench.openOwned());
  const user = make.makeUser(1);
  const automation = make.makeAutomation(1);
  await storage.users.insertUser(user);
  await storage.users.insertUser(make.makeUser(2, { roomIds: new Set([make.makeRoom(1).id]) }));
  await storage.sessions.insertSession(make.makeSession(1));
  await storage.apiTokens.insertApiToken(make.makeApiToken(1));
  await storage.rooms.saveRoom(make.makeRoom(1));
  await storage.devices.saveDevices([DEVICE]);
  storage.devices.saveValue(make.makeValue(1, 'temperature', 21));
  await storage.scenes.saveScene(make.makeScene(1));
  await storage.automations.saveAutomations([make.automationSave(automation)]);
  await storage.automationHooks.saveHookSecret({
    automation: automation.id,
    trigger: 'h1',
    hash: new Uint8Array(32),
    signer: automation.signer,
  });
  await storage.webhooks.saveWebhook(make.makeWebhook(1, { url: 'http://127.0.0.1:9/hook' }));
  await storage.exporters.saveExporter(make.makeExporter(1, { enabled: false, url: 'http://127.0.0.1:9/write' }), null);
  await storage.integrations.saveInstance(make.makeInstance(1, { enabled: false, settings: { host: '127.0.0.1' } }));
  await storage.integrations.saveState(make.makeInstance(1).id, { last: 'event-7' });
  await storage.notifications.saveNotifications(
    [
      make.makeNotification(1, {
        acknowledged: { atMs: 1, by: user.id },
        actions: [{ label: 'Evening', sceneId: make.makeScene(1).id }],
        deliveries: [
          {
            channel: make.makeChannel(1).id,
            state: 'failed',
            attempts: 1,
            atMs: 1,
            error: { code: 'X', message: 'x' },
          },
        ],
      }),
    ],
    [],
  );
  await storage.notifications.saveChannel(
    make.makeChannel(1, { enabled: false, userId: user.id, url: 'http://127.0.0.1:9' }),
  );
  await storage.notifications.saveQuietHours(user.id, { from: '22:00', to: '07:00' });
  await storage.homeViews.saveHomeView(user.id, { ...PLAIN_VIEW, favorites: [DEVICE.id] });
  await storage.requestKeys.saveKey(make.makeKeptRequest());
  await storage.requestKeys.saveKeyAnswer('caller', 'key', { place: null, whole: { status: 201, headers: {} } });
  await storage.modes.save(make.makeMode());
  await storage.variables.save(make.makeVariable());
  await storage.calendars.save(make.makeCalendar());
  await storage.templates.save(make.makeTemplate());
  await storage.presences.save(make.makePresence());
  const recording = { mode: 'on', minIntervalS: null, deadband: null } as const;
  await storage.recordings.saveRecording({ ...recording, deviceId: DEVICE.id, key: 'temperature' });
  await storage.energy.saveEnergySettings(make.makeEnergySettings());
  await storage.energy.saveEnergyHours([make.makeEnergyHour(1), make.makeEnergyHour(2)]);
  await storage.close();
  // The last values reach the database with the next start.
  bench.open().close();
}

/** Changes the file behind the hub's back. */
export function withDatabase<Result>(bench: Bench, use: (database: Database) => Result): Result {
  const database = openDatabase(sqlite, bench.database);
  try {
    database.run('PRAGMA ignore_check_constraints=ON');
    return use(database);
  } finally {
    database.close();
  }
}

/** Instead of each part of a record; `undefined` leaves it out. */
const WRONG: readonly (JsonValue | undefined)[] = [null, {}, [], 'x', -1, undefined];

type Table = {
  readonly table: string;
  readonly column: string;
  /** What makes the n-th copy of the row another one; none where there can be only one row. */
  readonly other?: (n: number, database: Database) => SqlRow;
};

const id = (n: number): string => `f0000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const byId = (n: number): SqlRow => ({ id: id(n) });
const byKey = (n: number): SqlRow => ({ key: `copy_${n}` });
const ofPerson =
  (column: string) =>
  (n: number, database: Database): SqlRow => {
    const email = `copy${n}@home.test`;
    const sql = `INSERT OR IGNORE INTO user SELECT ?, ?, ?, name, 'resident', password_hash, created_at_ms, updated_at_ms, revision, NULL, NULL, 0
      FROM user WHERE role = 'owner'`;
    database.run(sql, [id(n), email, email]);
    return { [column]: id(n) };
  };

/** All JSON in the database. */
export const TABLES: readonly Table[] = [
  { table: 'user', column: 'room_ids', other: (n) => ({ id: id(n), email: `${n}@x`, email_key: `${n}@x` }) },
  { table: 'session', column: 'spent_at_ms', other: byId },
  { table: 'api_token', column: 'record', other: (n) => ({ id: id(n), token_hash: Buffer.from(id(n)) }) },
  {
    table: 'device',
    column: 'record',
    other: (n) => ({ number: n + 100, id: id(n), external_id: `0x${n}`, selector: `copy-${n}` }),
  },
  { table: 'device_value', column: 'states', other: (n) => ({ device: n + 100 }) },
  { table: 'scene', column: 'record', other: (n) => ({ id: id(n), selector: `copy-${n}` }) },
  { table: 'automation', column: 'record', other: (n) => ({ id: id(n), selector: `copy-${n}` }) },
  { table: 'automation_version', column: 'record', other: (n) => ({ version: n + 2 }) },
  { table: 'automation_hook', column: 'record', other: (n) => ({ trigger_id: `copy_${n}` }) },
  { table: 'webhook', column: 'record', other: byId },
  { table: 'exporter', column: 'record', other: byId },
  { table: 'integration', column: 'record', other: (n) => ({ number: n + 100, id: `hue-${n}-copy` }) },
  { table: 'integration_state', column: 'state' },
  { table: 'notification', column: 'record', other: byId },
  { table: 'notification_channel', column: 'record', other: byId },
  { table: 'quiet_hours', column: 'record', other: ofPerson('user') },
  { table: 'home_view', column: 'record', other: ofPerson('user') },
  { table: 'request_key', column: 'answer', other: byKey },
  { table: 'presence', column: 'record', other: ofPerson('key') },
  { table: 'mode_set', column: 'record', other: byKey },
  { table: 'variable', column: 'record', other: byKey },
  { table: 'calendar', column: 'record', other: byKey },
  { table: 'automation_template', column: 'record', other: byKey },
  { table: 'recording', column: 'record', other: (n) => ({ number: n + 100, key: `"copy_${n}"` }) },
  { table: 'energy_settings', column: 'record' },
  { table: 'energy_hour', column: 'record', other: (n) => ({ at_ms: (n + 9) * 3_600_000 }) },
];

/** A copy of a good row for each part of its record and each wrong value in its place, and one that is not JSON. */
export function addWrongRows(database: Database, of: Table): void {
  const { row, texts } = wrongTexts(database, of);
  for (const [n, text] of texts.entries()) {
    putRow(database, of.table, { ...row, ...of.other?.(n, database), [of.column]: text });
  }
}

/** What a table with a single row may have in its place. */
export function wrongTexts(
  database: Database,
  { table, column }: Table,
): { readonly row: SqlRow; readonly texts: readonly string[] } {
  const row = database.get(`SELECT * FROM ${table} WHERE ${column} IS NOT NULL LIMIT 1`);
  if (row === undefined) throw new Error(`there is no row in ${table}`);
  const record = JSON.parse(String(row[column])) as JsonValue;
  const texts = [[], ...pathsIn(record)].flatMap((path) =>
    WRONG.flatMap((wrong) => JSON.stringify(replaced(record, path, wrong)) ?? []),
  );
  return { row, texts: ['{"name": "torn', ...texts] };
}

export function putRow(database: Database, table: string, row: SqlRow): void {
  const names = Object.keys(row);
  const sql = `INSERT OR REPLACE INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  database.run(sql, Object.values(row));
}

type Path = readonly (string | number)[];

/** Each member, and the first item of each list, however deep. */
function* pathsIn(value: JsonValue, at: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  const members = Array.isArray(value) ? [...value.slice(0, 1).entries()] : Object.entries(value);
  for (const [name, member] of members as [string | number, JsonValue][]) {
    yield [...at, name];
    yield* pathsIn(member, [...at, name]);
  }
}

function replaced(value: JsonValue, [name, ...rest]: Path, wrong: JsonValue | undefined): JsonValue | undefined {
  if (name === undefined) return wrong;
  if (Array.isArray(value))
    return value.with(Number(name), replaced(value[Number(name)], rest, wrong) ?? null) as JsonValue;
  const object = value as Record<string, JsonValue>;
  return { ...object, [name]: replaced(object[name] ?? null, rest, wrong) } as JsonValue;
}
