import { describe, expect, test } from 'vitest';
import type { AuditRecord, AuditType } from '#auth/audit/audit-entry.ts';
import { createAuditHistory } from '#auth/audit/audit-history.ts';
import { auditRoutes } from '#http/system/audit.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createBench } from '#test/storage/storage-harness.ts';
import { createTestClock, START_MS } from '#test/support/hub/auth-harness.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

function makeRecord(number: number, type: AuditType = 'login.failed'): AuditRecord {
  return {
    type,
    kind: 'refusal',
    party: '192.168.1.9',
    peer: '192.168.1.9',
    userId: null,
    actorId: null,
    session: null,
    apiToken: null,
    detail: null,
    count: number,
    firstAtMs: START_MS,
    atMs: START_MS + number,
    epoch: '0',
    wallMs: null,
  };
}

async function openAuditApp(records: readonly AuditRecord[]) {
  const { audit } = storageInProcess(await createBench().openOwned());
  await audit.insertAudit(records);
  const routes = auditRoutes({ auditHistory: createAuditHistory({ store: audit, hubClock: createTestClock() }) });
  const { request } = createTestApp(routes, {});
  return async (target: string, role = 'owner') => {
    const answer = await request(target, { headers: { Authorization: `Bearer ${role}` } });
    const json = (await answer.json()) as { id: string; count: number }[];
    return { status: answer.status, headers: answer.headers, json };
  };
}

describe('A10: GET /audit', () => {
  test.each(['admin', 'resident', 'guest'])('is not for a person with the role %s', async (role) => {
    const ask = await openAuditApp([]);
    expect((await ask('/api/v1/audit', role)).status).toBe(403);
  });

  test('without a limit gives the whole log, newest first', async () => {
    const ask = await openAuditApp(Array.from({ length: 1_001 }, (_, number) => makeRecord(number + 1)));
    const { status, json, headers } = await ask('/api/v1/audit');
    expect(status).toBe(200);
    expect(json.map(({ count }) => count)).toEqual(Array.from({ length: 1_001 }, (_, number) => 1_001 - number));
    expect(headers.get('link')).toBeNull();
    expect(json[0]).toMatchObject({ type: 'login.failed', peer: '192.168.1.9', wall_at: null });
  });

  test('gives pages of some types, which follow each other by their links', async () => {
    const ask = await openAuditApp(
      Array.from({ length: 9 }, (_, number) =>
        makeRecord(number + 1, number % 3 === 0 ? 'token.refused' : 'login.failed'),
      ),
    );
    const seen: number[] = [];
    let next: string | undefined = '/api/v1/audit?types=login.failed&limit=2';
    while (next !== undefined) {
      const { json, headers } = await ask(next);
      expect(headers.get('x-total-count')).toBe('6');
      seen.push(...json.map(({ count }) => count));
      next = /<(.*)>/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual([9, 8, 6, 5, 3, 2]);
  });

  test.each(['types=nonsense', 'limit=0', 'limit=1001', 'cursor=x', 'other=1'])('refuses ?%s', async (query) => {
    const ask = await openAuditApp([]);
    expect((await ask(`/api/v1/audit?${query}`)).status).toBe(400);
  });
});
