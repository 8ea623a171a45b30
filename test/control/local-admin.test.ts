import { beforeEach, describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createAuditedAdmin } from '#control/audited-admin.ts';
import type { HubAdmin } from '#control/hub-admin.ts';
import { createLocalAdmin, type StorageReport } from '#control/local-admin.ts';
import type { Role } from '#core/person/user.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createHistory, createNoHours } from '#test/core/past/history/sampled-history.ts';
import { openAuth, OWNER, type AuthHarness } from '#test/support/hub/auth-harness.ts';

const SOUND: StorageReport = {
  database: 'ok',
  readOnly: false,
  recovered: null,
  setAside: [],
  lastBackup: null,
  backupFailure: null,
};
const NO_HISTORY = {
  history: createHistory([]),
  hours: createNoHours(),
  check: {
    listMonths: async () => [],
    checkMonth: async () => null,
    readMade: async () => ({ spans: [], late: [] }),
    redoHours: async () => undefined,
  },
  timeZone: () => createTimeZone('UTC'),
  shownAs: (series: string) => series,
};
const PASSWORD = 'cup river stamp';
let auth: AuthHarness;
let admin: HubAdmin;

function adminWith(report: Partial<StorageReport>): HubAdmin {
  return createLocalAdmin({
    accounts: auth.accounts,
    claimCode: auth.claim.code,
    storageHealth: async () => ({ ...SOUND, ...report }),
    backups: { make: async () => ({ id: 'b' }), findPath: async (id) => `/${id}` },
    restoreBackup: async () => undefined,
    historyCheck: NO_HISTORY,
    archive: async () => {
      throw new Error('not asked');
    },
    status: () => null,
  });
}

beforeEach(async () => {
  auth = await openAuth();
  admin = adminWith({});
});

const add = (email: string, role: Role, name = 'Bo'): Promise<unknown> =>
  admin.addUser({ email, role, name, password: PASSWORD });

async function codeOf(promise: Promise<unknown>): Promise<string | undefined> {
  return await promise.then(
    () => undefined,
    (error: unknown) => (error instanceof HubError ? error.code : String(error)),
  );
}

describe('the administrator at the machine', () => {
  test('sees the claim code until there is an owner', async () => {
    expect(await admin.claim()).toEqual({ claimed: false, code: auth.announced[0] });
    await auth.setUp();
    expect(await admin.claim()).toEqual({ claimed: true, code: null });
  });

  test('gets the path of a backup', async () => {
    expect(await admin.makeBackup()).toEqual({ id: 'b', path: '/b' });
  });

  test('can add the first owner, and no other account before', async () => {
    expect(await codeOf(add('bo@home', 'resident'))).toBe('HUB_UNCLAIMED');
    expect(await add('bo@home', 'owner')).toMatchObject({ email: 'bo@home', role: 'owner', name: 'Bo' });
    expect(await admin.claim()).toEqual({ claimed: true, code: null });
    await add('al@home', 'guest');
    expect((await admin.listUsers()).map(({ email, role }) => [email, role])).toEqual([
      ['al@home', 'guest'],
      ['bo@home', 'owner'],
    ]);
  });

  test('A8: a new password ends every session of that person', async () => {
    await auth.setUp();
    const { accessToken } = await auth.logIn();
    expect(await auth.who(accessToken)).toBe(OWNER.email);
    await admin.setPassword({ email: OWNER.email.toUpperCase(), password: PASSWORD });
    expect(await codeOf(auth.who(accessToken))).toBe('INVALID_TOKEN');
    expect(await codeOf(auth.logIn())).toBe('INVALID_CREDENTIALS');
    expect(await codeOf(auth.logIn({ password: PASSWORD }))).toBeUndefined();
  });

  test('A4: has to choose passwords by the same rules as others', async () => {
    await auth.setUp();
    expect(await codeOf(admin.setPassword({ email: OWNER.email, password: 'password123' }))).toBe('WEAK_PASSWORD');
    expect(await codeOf(admin.setPassword({ email: OWNER.email, password: 'short' }))).toBe('VALIDATION_FAILED');
  });

  test.each([
    ['no address', 'Bo'],
    ['a@b@c', 'Bo'],
    ['a\n@home', 'Bo'],
    [`${'a'.repeat(250)}@home`, 'Bo'],
    ['bo@home', ' '],
    ['bo@home', 'Bo\u0007'],
    ['bo@home', 'x'.repeat(101)],
  ])('cannot add the address %j with the name %j', async (email, name) => {
    expect(await codeOf(add(email, 'owner', name))).toBe('VALIDATION_FAILED');
  });

  test('removes a person, but neither an unknown one nor the last owner', async () => {
    await auth.setUp();
    await add('bo@home', 'guest');
    await admin.removeUser({ email: 'BO@home' });
    expect(await codeOf(admin.removeUser({ email: 'bo@home' }))).toBe('NOT_FOUND');
    expect(await codeOf(admin.setPassword({ email: 'bo@home', password: PASSWORD }))).toBe('NOT_FOUND');
    expect(await codeOf(admin.removeUser({ email: OWNER.email }))).toBe('LAST_OWNER');
  });

  test.each<[Partial<StorageReport>, string, RegExp]>([
    [{}, 'ok', /^sound$/],
    [{ database: 'full' }, 'fail', /disk is full/],
    [{ database: 'damaged' }, 'fail', /damaged/],
    [{ readOnly: true }, 'fail', /read-only/],
    [{ recovered: { reason: 'torn page', from: 'x-daily', folder: '/c' } }, 'warn', /torn page.*x-daily.*\/c/],
    [{ setAside: [{ noun: 'scene', id: 's1', reason: 'record is not JSON' }] }, 'warn', /scene s1.*not JSON/],
    [{ backupFailure: { message: 'no room' } }, 'warn', /last backup failed: no room/],
  ])('gets a sentence for the storage report %j', async (report, level, words) => {
    const status = await adminWith(report).checkDatabase();
    expect(status.level).toBe(level);
    expect(status.detail).toMatch(words);
  });
});

test('A10: the audit log has each call of the console that succeeded', async () => {
  const audited = createAuditedAdmin(admin, auth);
  await audited.addUser({ email: 'ada@example.org', role: 'owner', name: 'Ada', password: PASSWORD });
  const [ada] = auth.accounts.users();
  await audited.addUser({ email: 'bo@example.org', role: 'guest', name: 'Bo', password: PASSWORD });
  const bo = auth.accounts.findUserByEmail('bo@example.org');
  await audited.setPassword({ email: 'bo@example.org', password: 'river stamp cup' });
  await expect(audited.removeUser({ email: 'ada@example.org' })).rejects.toMatchObject({ code: 'LAST_OWNER' });
  await audited.removeUser({ email: 'bo@example.org' });
  await audited.makeBackup();
  const peer = 'console';
  expect(auth.audited).toEqual([
    { type: 'user.added', peer, userId: ada?.id, detail: 'owner' },
    { type: 'user.added', peer, userId: bo?.id, detail: 'guest' },
    { type: 'password.changed', peer, userId: bo?.id, detail: undefined },
    { type: 'user.removed', peer, userId: bo?.id },
    { type: 'backup.made', peer, userId: undefined, detail: undefined },
  ]);
});
