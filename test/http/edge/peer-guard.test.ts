import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { PeerPlace } from '#http/edge/peer-guard.ts';
import { createPeerGuard } from '#http/edge/peer-guard.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const LOCAL = { interface: 'eth0', address: '192.168.50.1' };

function createTestGuard(place: PeerPlace, denyGateway = false) {
  const { log, lines } = createRecordingLog();
  const { clock, advance } = createManualTime();
  const guard = createPeerGuard({ placeOf: () => place, denyGateway, log, clock });
  const admit = (remoteAddress: string | undefined) => guard.admit({ remoteAddress } as Socket, LOCAL);
  return { guard, admit, lines, advance };
}

describe('N4: the peer guard', () => {
  test.each(['on_link', 'loopback'] as const)('lets in a peer that is %s and logs nothing', (place) => {
    const { admit, lines } = createTestGuard(place);
    expect(admit('192.168.50.7')).toBe(true);
    expect(lines).toEqual([]);
  });

  test('refuses strangers, counts each and logs one a minute', async () => {
    const { guard, admit, lines, advance } = createTestGuard('stranger');
    for (let count = 0; count < 1_000; count += 1) expect(admit('203.0.113.5')).toBe(false);
    expect(guard.refused()).toBe(1_000);
    expect(lines).toHaveLength(1);
    await advance(60_000);
    admit('203.0.113.6');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('peer=203.0.113.6');
    expect(lines[1]).toContain('refused_since_last_line=999');
  });

  test('lets the default gateway in and logs that once a day', async () => {
    const { admit, lines, advance } = createTestGuard('gateway');
    for (let count = 0; count < 10; count += 1) expect(admit('192.168.50.254')).toBe(true);
    await advance(86_399_000);
    admit('192.168.50.254');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('network.deny_gateway');
    await advance(1_000);
    admit('192.168.50.254');
    expect(lines).toHaveLength(2);
  });

  test('refuses the default gateway if configured', () => {
    const { guard, admit, lines } = createTestGuard('gateway', true);
    expect(admit('192.168.50.254')).toBe(false);
    expect(guard.refused()).toBe(1);
    expect(lines[0]).toContain('the peer is the default gateway');
  });

  test('refuses a peer that has already gone', () => {
    expect(createTestGuard('on_link').admit(undefined)).toBe(false);
  });
});
