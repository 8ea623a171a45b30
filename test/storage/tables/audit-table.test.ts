import { describe, expect, test } from 'vitest';
import type { AuditKind, AuditRecord, AuditType } from '#auth/audit/audit-entry.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeSession, makeUser, NOW_MS } from '#test/storage/storage-makers.ts';

function makeRecord(party: string, kind: AuditKind = 'refusal', type: AuditType = 'login.failed'): AuditRecord {
  return {
    kind,
    type,
    party,
    peer: party,
    userId: makeUser(1).id,
    actorId: null,
    session: null,
    apiToken: party === 'script' ? 'token-1' : null,
    detail: null,
    count: 2,
    firstAtMs: NOW_MS,
    atMs: NOW_MS + 0.5,
    epoch: '0',
    wallMs: null,
  };
}

const times = (count: number, record: AuditRecord): AuditRecord[] => Array.from({ length: count }, () => record);

describe('A10: the kept audit log', () => {
  test('is kept over a restart, and read newest first, by type and page', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.audit.insertAudit([
      makeRecord('script'),
      makeRecord('a'),
      makeRecord('owner', 'session', 'login.succeeded'),
      makeRecord('b'),
    ]);
    await before.close();
    const { audit } = storageInProcess(await bench.openOwned());
    const all = await audit.loadAudit({ limit: 10 });
    expect(all.map(({ party }) => party)).toEqual(['b', 'owner', 'a', 'script']);
    expect(all[3]).toEqual({ ...makeRecord('script'), number: all[3]?.number });
    const failed = await audit.loadAudit({ types: ['login.failed'], before: all[0]?.number, limit: 10 });
    expect(failed.map(({ party }) => party)).toEqual(['a', 'script']);
    expect(await audit.countAudit()).toBe(4);
    expect(await audit.countAudit(['login.failed'])).toBe(3);
  });

  test('is bounded, and a party that fills it displaces only its own entries', async () => {
    const bench = createBench();
    const { audit } = storageInProcess(await bench.openOwned());
    await audit.insertAudit([makeRecord('quiet'), makeRecord('owner', 'change', 'password.changed')]);
    for (let round = 0; round < 12; round += 1) await audit.insertAudit(times(500, makeRecord('loud')));
    expect(await audit.countAudit()).toBe(4_001);
    const oldest = await audit.loadAudit({ before: 3, limit: 10 });
    expect(oldest.map(({ party }) => party)).toEqual(['owner', 'quiet']);
  });

  test('S8: outlives a restore, which does not undo what happened', async () => {
    const bench = createBench();
    const before = storageInProcess(await bench.openOwned());
    await before.users.insertUser(makeUser(1));
    await before.sessions.insertSession(makeSession(1));
    await before.audit.insertAudit([makeRecord('long ago')]);
    const { id } = await before.backups.make();
    await before.audit.insertAudit(times(600, makeRecord('since')));
    await before.backups.restore((await before.backups.findPath(id)) ?? '', { session: null, meta: [] });
    await before.close();
    const { audit } = storageInProcess(await bench.openOwned());
    expect(await audit.countAudit()).toBe(601);
    expect((await audit.loadAudit({ limit: 1 }))[0]).toMatchObject({ party: 'since' });
  });
});

test('A9: the latest thousand sessions whose tokens were copied stay known, also after a restore', async () => {
  const bench = createBench();
  const before = storageInProcess(await bench.openOwned());
  await before.users.insertUser(makeUser(1));
  const { id } = await before.backups.make();
  for (let number = 1; number <= 1_003; number += 1) await before.sessions.insertReusedSession(makeSession(number).id);
  await before.sessions.insertReusedSession(makeSession(1_003).id);
  await before.backups.restore((await before.backups.findPath(id)) ?? '', { session: null, meta: [] });
  await before.close();
  const { sessions } = storageInProcess(await bench.openOwned());
  const kept = await sessions.loadReusedSessions();
  expect(kept).toHaveLength(1_000);
  expect([kept[0], kept.at(-1)]).toEqual([makeSession(4).id, makeSession(1_003).id]);
});
