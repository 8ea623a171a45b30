import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from './free-port.ts';
import { endOf } from './mosquitto.ts';

/** The real Zigbee2MQTT with a simulated radio, as a process of its own. */
export type RealZigbee2mqtt = {
  /** Makes the radio receive or do something: `/join`, `/report`, `/command`, `/leave`, `/offline`, `/devices`. */
  readonly radio: (call: string, body?: Record<string, unknown>) => Promise<unknown>;
  /** Ends it as systemd would; it reports itself offline at the broker. */
  readonly stop: () => Promise<void>;
  readonly kill: () => Promise<void>;
  /** Starts it anew with the same devices. */
  readonly start: () => Promise<void>;
  readonly remove: () => Promise<void>;
  /** What it printed. */
  readonly output: () => string;
};

export type RealZigbee2mqttOptions = {
  readonly brokerPort: number;
  readonly availability?: boolean;
  readonly baseTopic?: string;
  /** The file in `test/fixtures/zigbee2mqtt` that describes the devices, if not `fake-devices.cjs`. */
  readonly devices?: string;
};

const PACKAGES = join(import.meta.dirname, '../zigbee2mqtt/node_modules');
const FIXTURES = join(import.meta.dirname, '../../fixtures/zigbee2mqtt');
const RADIO = join(FIXTURES, 'fake-adapter.cjs');

/** The addresses of the simulated devices, in the order of `fake-devices.cjs`. */
export const radioAddress = (number: number): string => `0x00158d${number.toString(16).padStart(10, '0')}`;

export async function startZigbee2mqtt({
  brokerPort,
  availability = true,
  baseTopic = 'zigbee2mqtt',
  devices = 'fake-devices.cjs',
}: RealZigbee2mqttOptions): Promise<RealZigbee2mqtt> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-zigbee2mqtt-'));
  const radioPort = await findFreePort();
  writeFileSync(join(folder, 'configuration.yaml'), configuration({ brokerPort, availability, baseTopic }));
  let child: ChildProcess | null = null;
  let printed = '';
  const start = async (): Promise<void> => {
    printed = '';
    const started = spawn(process.execPath, ['-r', RADIO, join(PACKAGES, 'zigbee2mqtt/index.js')], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        Z2M_ROOT: join(PACKAGES, 'zigbee-herdsman'),
        ZIGBEE2MQTT_DATA: folder,
        FAKE_ZB_PORT: String(radioPort),
        FAKE_ZB_DEVICES: join(FIXTURES, devices),
      },
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-100_000);
      });
    }
    for (let waitedMs = 0; !printed.includes('Zigbee2MQTT started!'); waitedMs += 100) {
      if (started.exitCode !== null || waitedMs > 60_000)
        throw new Error(`Zigbee2MQTT did not start: ${printed.slice(-4_000)}`);
      await wait(100);
    }
    // Nobody catches this, so it fails the run and says why: the hub alone would look as if it had lost its devices.
    started.once('close', () => {
      if (child === started) throw new Error(`Zigbee2MQTT ended by itself: ${printed.slice(-4_000)}`);
    });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ending = child;
    child = null;
    if (ending !== null) await endOf(ending, signal);
  };
  await start();
  return {
    radio: async (call, body = {}) => {
      const answer = await fetch(`http://127.0.0.1:${radioPort}${call}`, {
        method: 'POST',
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${call}: ${await answer.text()}`);
      return answer.json();
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    start,
    remove: async () => {
      await end('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
    output: () => printed,
  };
}

/**
 * Without its part for Home Assistant: that one unsubscribes 5 s after the start, and Zigbee2MQTT 2.14.1 ends with an
 * unhandled rejection if the broker is away at that moment.
 */
function configuration({
  brokerPort,
  availability,
  baseTopic,
}: Required<Omit<RealZigbee2mqttOptions, 'devices'>>): string {
  return `version: 5
mqtt: {base_topic: ${baseTopic}, server: 'mqtt://127.0.0.1:${brokerPort}'}
serial: {port: /dev/null, adapter: zstack}
frontend: {enabled: false}
homeassistant: {enabled: false}
availability: {enabled: ${availability}}
onboarding: false
advanced:
  last_seen: ISO_8601
  log_output: [console]
  network_key: [1, 3, 5, 7, 9, 11, 13, 15, 0, 2, 4, 6, 8, 10, 12, 13]
  pan_id: 6754
  ext_pan_id: [221, 221, 221, 221, 221, 221, 221, 221]
  channel: 11
`;
}
