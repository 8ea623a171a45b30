import { describe, expect, test } from 'vitest';
import { startAudit } from '#auth/audit/audit.ts';
import { AUDIT_KINDS, type AuditRecord, type AuditType } from '#auth/audit/audit-entry.ts';
import type { SessionId } from '#auth/session/session.ts';
import type { UserId } from '#core/person/user.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const userId = 'user-1' as UserId;

function openAudit() {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const written: AuditRecord[][] = [];
  const disk: { failWith: Error | undefined } = { failWith: undefined };
  const audit = startAudit({
    store: {
      insertAudit: async (records) => {
        if (disk.failWith !== undefined) throw disk.failWith;
        written.push([...records]);
      },
    },
    hubClock: {
      nowMs: time.clock.wallMs,
      epoch: () => '0',
      nowInEpochMs: time.clock.wallMs,
      confirmPast: async () => undefined,
    },
    syncedWallMs: () => null,
    monotonicMs: time.clock.monotonicMs,
    startTimer: time.startTimer,
    log,
  });
  const countOf = (type: AuditType): number =>
    written
      .flat()
      .filter((record) => record.type === type)
      .reduce((sum, { count }) => sum + count, 0);
  return { ...audit, time, lines, written, disk, countOf };
}

describe('A10: the audit log', () => {
  test('writes changes before the caller goes on, and refusals together a little later', async () => {
    const { record, time, written } = openAudit();
    await record({ type: 'password.changed', peer: '192.168.1.2', userId });
    expect(written).toHaveLength(1);
    for (let try_ = 0; try_ < 3; try_ += 1) await record({ type: 'login.failed', peer: '192.168.1.9', userId });
    expect(written).toHaveLength(1);
    await time.advance(20_000);
    expect(written).toHaveLength(2);
    expect(written[1]).toMatchObject([{ type: 'login.failed', peer: '192.168.1.9', count: 3, userId }]);
    expect(time.pendingMs()).toEqual([]);
  });

  test('keeps no whole session id, no control character and no long text', async () => {
    const { record, written } = openAudit();
    const sessionId = '0198f1c2-7d6e-7000-8000-000000000002' as SessionId;
    await record({
      type: 'session.revoked',
      peer: `x\n\u202e${'y'.repeat(100)}`,
      userId,
      sessionId,
      detail: 'a\u0007b',
    });
    expect(written[0]?.[0]).toMatchObject({ session: '0198f1c2-7d6e', detail: String.raw`a\u0007b` });
    expect(written[0]?.[0]?.peer).toMatch(/^[\x20-\x7e]{1,64}$/);
  });

  test.each(Object.keys(AUDIT_KINDS) as AuditType[])(
    '%s, a thousand times an hour, writes few rows and loses no count',
    async (type) => {
      const { record, time, written, countOf, stop } = openAudit();
      for (let count = 0; count < 1_000; count += 1) {
        await record({ type, peer: '192.168.1.9', userId });
        await time.advance(HOUR_MS / 1_000);
      }
      expect(written.flat().length).toBeLessThanOrEqual(26);
      await stop();
      expect(countOf(type)).toBe(1_000);
    },
  );

  test('writes no more for a thousand peers than for sixty, and still counts all', async () => {
    const { record, time, written, countOf, stop } = openAudit();
    for (let peer = 0; peer < 10_000; peer += 1) {
      await record({ type: 'login.failed', peer: `10.0.${peer >> 8}.${peer & 255}` });
    }
    await time.advance(HOUR_MS);
    expect(written.flat().length).toBeLessThanOrEqual(121);
    expect(written.length).toBeLessThanOrEqual(62);
    await stop();
    expect(countOf('login.failed')).toBe(10_000);
  });

  test('S9: a full disk fails no login, and the events meanwhile are written later, once', async () => {
    const { record, time, disk, lines, written, countOf } = openAudit();
    disk.failWith = new Error('disk full');
    for (let count = 0; count < 20; count += 1) await record({ type: 'login.succeeded', peer: '192.168.1.2', userId });
    await time.advance(5 * MINUTE_MS);
    expect(lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
    disk.failWith = undefined;
    await time.advance(2 * MINUTE_MS);
    expect(countOf('login.succeeded')).toBe(20);
    expect(written).toHaveLength(1);
    expect(time.pendingMs()).toEqual([]);
  });
});
