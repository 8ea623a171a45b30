import { expect, test } from 'vitest';
import { healthRoutes } from '#http/system/health.ts';
import { authenticateByRole, createTestApp } from '#test/support/hub/http-app.ts';

const database = {
  status: 'ok',
  read_only: false,
  recovered: null,
  set_aside: [],
  set_aside_kept: { records: 0, bytes: 0, until: null },
  backup_failure: null,
};

function createHarness(isClaimed = true, authenticate = authenticateByRole) {
  const routes = healthRoutes({
    healthStatus: () => 'degraded',
    healthDetails: async () => ({ database }),
    authenticate,
    isClaimed: () => isClaimed,
  });
  const { request } = createTestApp(routes, { isClaimed: () => isClaimed });
  return async (token?: string): Promise<unknown> => {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const answer = await request('/api/v1/health', { headers });
    return [answer.status, await answer.json()];
  };
}

test('without a token the answer has only the status', async () => {
  expect(await createHarness()()).toEqual([200, { status: 'degraded' }]);
});

test('a token with system:read also sees the details', async () => {
  expect(await createHarness()('admin')).toEqual([200, { status: 'degraded', database }]);
});

test.each(['resident', 'guest', 'expired'])('the token of %s counts as none', async (token) => {
  expect(await createHarness()(token)).toEqual([200, { status: 'degraded' }]);
});

test('A5: the call answers while the hub has no owner, and ignores tokens', async () => {
  expect(await createHarness(false)('owner')).toEqual([200, { status: 'degraded' }]);
});

test('a failure of the token check does not count as a bad token', async () => {
  const broken = createHarness(true, () => {
    throw new Error('broken');
  });
  expect(await broken('owner')).toMatchObject([500, { code: 'INTERNAL_ERROR' }]);
});
