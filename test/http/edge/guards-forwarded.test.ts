import { describe, expect, test } from 'vitest';
import { createForwardedGuard } from '#http/edge/guards.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { factsOf } from '#test/support/hub/request-facts.ts';

function createTestGuard() {
  const { log, lines } = createRecordingLog();
  const { clock, advance } = createManualTime();
  return { guard: createForwardedGuard({ log, clock }), lines, advance };
}

describe('N6: the forwarded guard', () => {
  test.each([
    'Forwarded',
    'X-Forwarded-For',
    'x-forwarded-host',
    'X-FORWARDED-PROTO',
    'X-Forwarded',
    'X-Real-IP',
    'CF-Connecting-IP',
    'cf-ray',
    'True-Client-IP',
    'Via',
    'Tailscale-User-Login',
    'CDN-Loop',
    'X_Forwarded_For',
    'X-Envoy-External-Address',
    'Fly-Client-IP',
    'X-Cluster-Client-IP',
  ])('answers 403 to %s, whatever its value', (field) => {
    const { guard } = createTestGuard();
    expect(guard(factsOf('Host', 'hearthd.local', field, '192.168.50.7'))?.code).toBe('PROXIED_REQUEST');
    expect(guard(factsOf(field, ''))?.code).toBe('PROXIED_REQUEST');
  });

  test('lets the fields of browsers and scripts pass', () => {
    const { guard } = createTestGuard();
    const fields = ['Cache-Control', 'Content-Type', 'Cookie', 'From', 'TE', 'Viary', 'X-Requested-With', 'X-Real-IPX'];
    expect(
      guard(factsOf(...fields.flatMap((field) => [field, 'via']), 'User-Agent', 'X-Forwarded-For')),
    ).toBeUndefined();
  });

  test('logs once per hour how to fix it, and how often it refused', async () => {
    const { guard, lines, advance } = createTestGuard();
    for (let count = 0; count < 100; count += 1) guard(factsOf('Via', '1.1 proxy\n'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('Let clients call the hub directly, or stop the proxy on 192.168.50.7');
    await advance(3_600_000);
    guard(factsOf('Via', '1.1 proxy'));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('refused_since_last_line=99');
  });
});
