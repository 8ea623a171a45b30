import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { SampleBatch } from '#core/past/history/history-store.ts';
import { rollUp } from '#core/past/hour/roll-up.ts';
import { openDatabase } from '#storage/engine/database.ts';
import { MIGRATIONS, migrate } from '#storage/engine/schema.ts';
import type { StorageCalls } from '#storage/open/storage-operations.ts';
import {
  makeApiToken,
  makeDevice,
  makeFeature,
  makeRoom,
  makeRunChanges,
  makeSession,
  makeUser,
  makeValue,
  makeWebhook,
} from '#test/storage/storage-makers.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { MONTH_END } from './facts.ts';
import { foldersOf, openHub, packageSqlite, type History, type Life } from './history.ts';

/** A device whose record fills a few pages, so that a log is moved into the database after a few of them. */
const bigDevice = (number: number, revision = 1) =>
  makeDevice(number, { revision, features: Array.from({ length: 40 }, (_, key) => makeFeature(`feature_${key}`)) });

/** One write of each kind that must not be lost. */
async function writeEverything({ step, sendValues, touch }: Life): Promise<void> {
  await step((to) =>
    to.meta.putMeta(
      new Map([
        ['hub_name', 'Home'],
        ['clock', '1'],
      ]),
    ),
  );
  await step((to) => to.users.insertUser(makeUser(1)));
  await step((to) => to.users.insertUser(makeUser(2)));
  await step((to) => to.sessions.insertSession(makeSession(1)));
  await step((to) => to.sessions.insertSession(makeSession(2)));
  await step((to) => to.rooms.saveRoom(makeRoom(1)));
  await step((to) => to.devices.saveDevices([makeDevice(1), makeDevice(2), makeDevice(3, { roomId: makeRoom(1).id })]));
  await step((to) => to.webhooks.saveWebhook(makeWebhook(1)));
  await sendValues([makeValue(1, 'on', true), makeValue(2, 'power', 4.2), makeValue(3, 'text', 'x'.repeat(900))]);
  await step((to) => to.sessions.updateSession(makeSession(1, { generation: 4 })));
  await step((to) => to.users.updateUser(makeUser(2, { name: 'Renamed' }), [makeSession(2).id]));
  await touch([{ id: makeSession(1).id, lastUsedAtMs: 9e14, address: '10.0.0.9' }]);
  await step((to) => to.devices.saveDevices([makeDevice(1, { ownName: 'Lamp', revision: 2 })]));
  await step((to) => to.rooms.deleteRoom(makeRoom(1).id, [makeDevice(3)]));
  await step((to) => to.webhooks.deleteWebhook(makeWebhook(1).id));
  await step((to) => to.sessions.deleteSessions([makeSession(1).id]));
  await step((to) => to.users.deleteUser(makeUser(2).id));
  await step((to) => to.meta.putMeta(new Map([['clock', '2']])));
}

/** More than one transaction's worth of log, several times over. */
async function writeALot({ step, sendValues }: Life): Promise<void> {
  for (let round = 1; round <= 10; round += 1) {
    await step((to) => to.devices.saveDevices(Array.from({ length: 20 }, (_, number) => bigDevice(number + 1, round))));
    await sendValues(Array.from({ length: 230 }, (_, key) => makeValue(1 + (key % 20), `key_${key}`, round)));
  }
}

function makeUsed(operations: StorageCalls): void {
  operations.users.insertUser(makeUser(1));
  operations.devices.saveDevices(Array.from({ length: 4 }, (_, number) => bigDevice(number + 1)));
  operations.devices.saveValue(makeValue(1, 'on', true));
}

/** A closed hub with a backup. */
function prepareUsed(root: string): void {
  mkdirSync(root, { recursive: true });
  const { engine } = openHub(root, packageSqlite);
  makeUsed(engine.operations);
  engine.operations.backups.make();
  engine.close();
}

const firstStart: History = {
  name: 'a first start, one write of each kind, and an orderly end',
  prepare: (root) => mkdirSync(root),
  live: async (life) => {
    await writeEverything(life);
    await life.close();
    await life.reopen();
    await life.step((to) => to.users.insertUser(makeUser(7)));
    await life.close();
  },
};

const heavyUse: History = {
  name: 'many writes, with the log moved into the database between them',
  prepare: prepareUsed,
  live: async (life) => {
    await writeALot(life);
    await life.close();
  },
};

const backupAndRestore: History = {
  name: 'backups, a restore, and what is written after it',
  prepare: prepareUsed,
  live: async (life) => {
    await life.step((to) => to.users.insertUser(makeUser(2)));
    for (const number of [1, 2]) await life.step((to) => to.apiTokens.insertApiToken(makeApiToken(number)));
    await life.step((to) => void to.backups.make());
    await life.step((to) => to.apiTokens.deleteApiTokens([makeApiToken(2).id]));
    await life.step((to) => to.sessions.insertSession(makeSession(1)));
    await life.sendValues([makeValue(1, 'on', false), makeValue(4, 'on', 1)]);
    await life.restore({ session: makeSession(1).id, meta: ['clock'] });
    await life.step((to) => to.users.insertUser(makeUser(3)));
    await life.step((to) => void to.backups.makeDailyIfDue(Date.UTC(2026, 10, 22)));
    await life.close();
  },
};

const migration: History = {
  name: 'an upgrade from the first schema',
  prepare: (root) => {
    const { state } = foldersOf(root);
    mkdirSync(state, { recursive: true, mode: 0o700 });
    const database = openDatabase(packageSqlite, join(state, 'hearthd.db'));
    migrate(database, MIGRATIONS.slice(0, 1));
    database.run("INSERT INTO meta (key, value) VALUES ('hub_name', 'Home')");
    database.close();
  },
  live: async (life) => {
    await writeEverything(life);
    await life.close();
  },
};

const uncleanStart: History = {
  name: 'a start after an earlier power cut',
  prepare: (root) => {
    const before = `${root}-before`;
    mkdirSync(before, { recursive: true });
    const { engine } = openHub(before, packageSqlite);
    makeUsed(engine.operations);
    engine.operations.backups.make();
    engine.operations.users.insertUser(makeUser(5));
    cpSync(before, root, { recursive: true });
    engine.close();
  },
  live: async (life) => {
    await life.step((to) => to.users.insertUser(makeUser(6)));
    await life.sendValues([makeValue(2, 'on', true)]);
    await life.close();
  },
};

const damagedStart: History = {
  name: 'a start with a damaged database and a good backup',
  startsDamaged: true,
  prepare: (root) => {
    prepareUsed(root);
    const path = join(foldersOf(root).state, 'hearthd.db');
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096, bytes.length - 512);
    writeFileSync(path, bytes);
  },
  live: async (life) => {
    await life.step((to) => to.users.insertUser(makeUser(6)));
    await life.close();
  },
};

/** A few minutes of samples, each batch a minute after the one before. */
function makeBatch(minute: number, epoch = 'e1'): SampleBatch {
  const at = (second: number): number => MONTH_END + minute * 60_000 + second * 1000;
  const id = makeDevice(1).id;
  const samples = Array.from({ length: 40 }, (_, index) => [
    { series: `${id}/power`, atMs: at(index), value: (minute * 100 + index) / 10 },
    {
      series: `${id}/action`,
      atMs: at(index + 0.3),
      value: index % 7 === 0 ? ({ gap: 'offline' } as const) : `press ${index % 3}`,
    },
    { series: `${id}/on`, atMs: at(index + 0.6), value: index % 2 === 0 },
  ]).flat();
  return { epoch, samples };
}

const samplesAndMonths: History = {
  name: 'samples and last values, sealed over the end of a month and packed',
  prepare: prepareUsed,
  live: async (life) => {
    await life.sendSamples(makeBatch(0));
    await life.sendValues([makeValue(1, 'power', 3.9), makeValue(2, 'on', true)]);
    await life.step((to) => to.runs.write(makeRunChanges(1, { outcome: 'running' })));
    await life.step((to) => {
      to.runs.keep(makeRunChanges(1));
      to.runs.keep(makeRunChanges(2));
      to.history.seal();
    });
    for (const minute of [1, 2, 3]) await life.sendSamples(makeBatch(minute));
    await life.step((to) => to.users.insertUser(makeUser(8)));
    await life.step((to) => to.history.seal());
    await life.sendSamples(makeBatch(-60, 'e2'));
    await life.step((to) => to.history.noteShift('e2', 7_200_000));
    await life.close();
    await life.reopen();
    await life.sendSamples(makeBatch(4));
    await life.step((to) => to.history.seal());
    await life.sendSamples(makeBatch(5));
    await life.close();
  },
};

/** Deletes stretches that begin and end at a sample, so that reading by number and by series give the same. */
const deletions: History = {
  name: 'samples that are deleted, their bytes that go, and the month that is packed anew',
  prepare: prepareUsed,
  live: async (life) => {
    const { id } = makeDevice(1);
    const sampleMs = (minute: number, second: number): number => MONTH_END + minute * 60_000 + second * 1000;
    const ranges = [
      { series: `${id}/power`, fromMs: sampleMs(0, 10), toMs: sampleMs(2, 20) },
      { series: `${id}/on`, fromMs: sampleMs(1, 3.6), toMs: sampleMs(3, 5.6) },
    ];
    for (const minute of [0, 1]) await life.sendSamples(makeBatch(minute));
    await life.step((to) => to.history.seal());
    for (const minute of [2, 3]) await life.sendSamples(makeBatch(minute));
    await life.step((to) => to.history.deleteSamples(ranges));
    await life.step((to) => void to.history.eraseDeleted());
    await life.sendSamples(makeBatch(4));
    await life.step((to) => to.history.scrub());
    await life.step((to) =>
      to.history.deleteSamples([{ series: `${id}/action`, fromMs: -Infinity, toMs: sampleMs(4, 5.3) }]),
    );
    await life.close();
    await life.reopen();
    for (const _ of [1, 2, 3]) await life.step((to) => void to.history.eraseDeleted());
    await life.sendSamples(makeBatch(5));
    await life.step((to) => to.history.seal());
    await life.sendSamples(makeBatch(6));
    await life.close();
  },
};

/** Makes the hours of all days that were over an hour ago, as the hub does. */
async function makeHours({ history, hours }: StorageCalls, nowMs: number): Promise<void> {
  const { log } = createRecordingLog();
  await rollUp({
    history: {
      findBefore: async (...given) => history.findBefore(...given),
      readSlice: async (...given) => history.readSlice(...given),
      listSeries: async (...given) => history.listSeries(...given),
    },
    hours: {
      readDue: async (...given) => hours.readDue(...given),
      putDays: async (...given) => hours.putDays(...given),
      finishDays: async (...given) => hours.finishDays(...given),
      readSamplesFrom: async (...given) => hours.readSamplesFrom(...given),
      readHours: async (...given) => hours.readHours(...given),
    },
    timeZone: () => createTimeZone('UTC'),
    hubClock: { nowMs: () => nowMs, isSynced: () => true },
    log,
  });
}

/** The hours are all that is left of a month in the end. */
const hoursOfDays: History = {
  name: 'hours that are made, made again after late samples, and outlive their month',
  prepare: prepareUsed,
  live: async (life) => {
    const { id } = makeDevice(1);
    const kinds = { power: 'gauge', on: 'state', action: 'event' } as const;
    await life.step((to) => {
      to.history.describeSeries(
        Object.entries(kinds).map(([key, kind]) => ({ name: `${id}/${key}`, kind, unit: null })),
      );
    });
    const DAY_MS = 86_400_000;
    for (const minute of [0, 1]) await life.sendSamples(makeBatch(minute));
    await life.step((to) => to.history.seal());
    await life.step((to) => makeHours(to, MONTH_END + DAY_MS / 4));
    for (const minute of [2, 3]) await life.sendSamples(makeBatch(minute));
    await life.step((to) => makeHours(to, MONTH_END + 2 * DAY_MS));
    await life.sendSamples(makeBatch(-90, 'late'));
    await life.step((to) => makeHours(to, MONTH_END + 2 * DAY_MS));
    await life.close();
    await life.reopen();
    await life.step((to) => to.users.insertUser(makeUser(9)));
    await life.step((to) => to.history.seal());
    await life.step((to) => void to.history.forgetMonths({ keepFromMs: MONTH_END + 120_000, maxBytes: Infinity }));
    await life.step((to) => makeHours(to, MONTH_END + 3 * DAY_MS));
    await life.close();
  },
};

/** Long: of its operations only some are tried where each costs a whole life. */
export const HEAVY_USE = heavyUse;

export const SHORT_HISTORIES: readonly History[] = [
  firstStart,
  backupAndRestore,
  migration,
  uncleanStart,
  damagedStart,
  samplesAndMonths,
  deletions,
  hoursOfDays,
];

export const HISTORIES: readonly History[] = [...SHORT_HISTORIES, HEAVY_USE];
