import dns from 'node:dns';
import { expect, onTestFinished, test, vi } from 'vitest';
import { checkBroker } from '#cli/doctor/doctor.ts';
import { namedBroker } from '#cli/doctor/named-broker.ts';
import { loadConfig } from '#config/load-config.ts';

/** Checks a broker whose name has these addresses, at a port where nothing listens. */
async function look(...addresses: string[]): Promise<string> {
  const found = addresses.map((address) => ({ address, family: 4 }));
  const answer = (_name: string, _options: unknown, done: (error: null, found: unknown) => void): void =>
    done(null, found);
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(answer as typeof dns.lookup);
  onTestFinished(() => lookup.mockRestore());
  const loaded = loadConfig({ environment: { HEARTHD_MQTT_URL: 'mqtt://broker.home:1' }, installed: false });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  const { level, text, advice } = await checkBroker(namedBroker(loaded.config));
  expect(lookup).toHaveBeenCalledOnce();
  expect(advice).toBe('start the broker or correct mqtt.url; without Zigbee2MQTT set mqtt.url to off');
  return `${level} ${text}`;
}

test.each([[['127.0.0.1']], [['127.0.0.1', '127.0.0.2']]])(
  'a broker that refuses connections at %j is reported with the reason',
  async (addresses) => {
    expect(await look(...addresses)).toBe(
      'warn mqtt://broker.home:1 cannot be reached (the machine is there, the broker is not, ECONNREFUSED)',
    );
  },
);
