import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { describeSource, type Config } from '#config/config.ts';
import { loadConfig } from '#config/load-config.ts';
import { OPTION_KEYS, optionOf } from '#config/option-table.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearthd-config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function load(toml: string | Uint8Array, environment: Record<string, string> = {}): ReturnType<typeof loadConfig> {
  const file = join(folder, 'hearthd.toml');
  writeFileSync(file, toml);
  return loadConfig({ environment, file, installed: false });
}

function configOf(loaded: ReturnType<typeof loadConfig>): Config {
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

function problemsOf(loaded: ReturnType<typeof loadConfig>): string {
  if (loaded.ok) throw new Error('the configuration was accepted');
  return loaded.problems.join('\n').replaceAll(folder, '');
}

describe('a configuration', () => {
  test('has a default for every option', () => {
    const config = configOf(load(''));
    expect(config).toMatchObject({
      stateDir: resolve('var'),
      runtimeDir: resolve('var/run'),
      port: 8080,
      simulate: false,
      logLevel: 'info',
      values: { 'mqtt.url': 'mqtt://127.0.0.1:1883', 'mqtt.user': null, 'mqtt.base_topic': 'zigbee2mqtt' },
      network: { interfaces: [], allowGua: false, hosts: [] },
    });
    expect(OPTION_KEYS.filter((key) => config.sources[key].kind !== 'default')).toEqual([]);
  });

  test('is frozen to its leaves', () => {
    const config = configOf(load('[network]\nhosts = ["hub.home"]'));
    for (const part of [config, config.values, config.network, config.network.hosts, config.sources]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  test('prefers the environment to the file, the file to the default, and knows the source', () => {
    const toml =
      '# hub\nport = 9000\n\n[mqtt]\nurl = "mqtts://broker.home"\nuser = "hub"\n[network]\nhosts = [\n  "a.home",\n  "b.home",\n]\norigins = []';
    const config = configOf(
      load(toml, { HEARTHD_PORT: '9001', HEARTHD_MQTT_URL: 'off', HEARTHD_INTERFACES: 'eth0, wlan0' }),
    );
    expect(config).toMatchObject({
      port: 9001,
      values: { 'mqtt.url': null, 'mqtt.user': 'hub' },
      network: { interfaces: ['eth0', 'wlan0'], hosts: ['a.home', 'b.home'] },
    });
    const from = (key: keyof Config['sources']): string => describeSource(config.sources[key]).replace(folder, '');
    expect(from('port')).toBe('HEARTHD_PORT');
    expect(from('mqtt.user')).toBe('/hearthd.toml:6');
    expect(from('network.hosts')).toBe('/hearthd.toml:8');
    expect(from('network.origins')).toBe('/hearthd.toml:12');
    expect(from('log')).toBe('default');
  });

  test('reads paths in the file relative to the file, and ignores an empty variable', () => {
    const config = configOf(load('state_dir = "state"\n[mqtt]\npassword_file = "/x/secret"', { HEARTHD_PORT: '' }));
    expect(config.stateDir).toBe(join(folder, 'state'));
    expect(config.values['mqtt.password_file']).toBe('/x/secret');
    expect(config.port).toBe(8080);
  });

  test('may have sections in which every line is commented out', () => {
    expect(configOf(load('[mqtt]\n# url = "off"\n[network]\n')).values['mqtt.base_topic']).toBe('zigbee2mqtt');
  });

  test('accepts every option from the environment', () => {
    const texts: Record<string, string> = {
      port: '80',
      log: 'debug',
      'mqtt.url': 'off',
      'network.extra_subnets': '10.8.0.0/24,fd00::/64',
      'network.origins': 'http://panel.home:3000',
    };
    const environment = OPTION_KEYS.map((key) => [
      optionOf(key).variable,
      texts[key] ?? (typeof optionOf(key).default === 'boolean' ? '1' : 'x'),
    ]);
    const config = configOf(load('', Object.fromEntries(environment)));
    expect(OPTION_KEYS.filter((key) => config.sources[key].kind !== 'environment')).toEqual([]);
    expect(config.network).toMatchObject({ extraSubnets: ['10.8.0.0/24', 'fd00::/64'], allowCgnat: true });
  });

  test('take an IPv4 subnet that is written as one of mapped addresses', () => {
    const subnets = '::ffff:10.0.0.0/104,::ffff:0:0/96,::/0';
    const config = configOf(load('', { HEARTHD_EXTRA_SUBNETS: subnets }));
    expect(config.network.extraSubnets).toEqual(subnets.split(','));
  });
});

describe('the folders', () => {
  const stateOf = (inputs: Partial<Parameters<typeof loadConfig>[0]>): [string, string] => {
    const file = join(folder, 'empty.toml');
    writeFileSync(file, '');
    const config = configOf(loadConfig({ environment: {}, installed: false, file, ...inputs }));
    return [config.stateDir, config.runtimeDir];
  };

  test('are those of the unit under systemd', () => {
    const environment = { STATE_DIRECTORY: '/var/lib/hub', RUNTIME_DIRECTORY: '/run/hub', INVOCATION_ID: 'x' };
    expect(stateOf({ environment })).toEqual(['/var/lib/hub', '/run/hub']);
  });

  test('are the system’s for the installed program, called from any folder', () => {
    expect(stateOf({ installed: true })).toEqual(['/var/lib/hearthd', '/run/hearthd']);
  });

  test('come with port 80 if the package installed the program, and with 8080 otherwise', () => {
    const file = join(folder, 'empty.toml');
    writeFileSync(file, '');
    const portOf = (installed: boolean, environment = {}): number =>
      configOf(loadConfig({ environment, installed, file })).port;
    expect([portOf(true), portOf(false), portOf(true, { HEARTHD_PORT: '8123' })]).toEqual([80, 8080, 8123]);
  });

  test('are local in a desktop shell, which has an invocation id too', () => {
    expect(stateOf({ environment: { INVOCATION_ID: 'x' } })).toEqual([resolve('var'), resolve('var/run')]);
  });

  test('keep the socket in a state folder that was named for one call', () => {
    expect(stateOf({ installed: true, stateDir: '/tmp/x' })).toEqual(['/tmp/x', '/tmp/x/run']);
    expect(stateOf({ installed: true, environment: { HEARTHD_STATE_DIR: '/tmp/y' } })[1]).toBe('/tmp/y/run');
  });
});

describe('a refusal', () => {
  test('lists every problem at once, with what is allowed and where it is', () => {
    const toml =
      'prot = 1\nport = "80"\nlog = "loud"\n[mqtt]\nurl = "http://x"\n[network]\nextra_subnets = ["10.0.0.0/33"]\n';
    const problems = problemsOf(load(toml, { HEARTHD_SIMULATE: 'yes', HEARTHD_LOGG: 'info', HEARTHD_QUUX_FROB: '1' }));
    expect(problems.split('\n')).toEqual([
      '/hearthd.toml:1: there is no option "prot", did you mean port?',
      '/hearthd.toml:2: port is "80" but must be a whole number from 0 to 65535',
      '/hearthd.toml:3: log is "loud" but must be one of error, warn, info, debug',
      expect.stringMatching(/^\/hearthd.toml:5: mqtt.url is "http:\/\/x" but must be off, or mqtt:\/\//),
      expect.stringMatching(/^\/hearthd.toml:7: network.extra_subnets is \["10.0.0.0\/33"\] but must be a list/),
      'HEARTHD_SIMULATE: simulate is "yes" but must be true or false (1 or 0 in the environment)',
      'environment: there is no option "HEARTHD_LOGG", did you mean HEARTHD_LOG?',
      'environment: there is no option "HEARTHD_QUUX_FROB"',
    ]);
  });

  test.each([
    ['port = 65536', 'port'],
    ['port = 80.5', 'port'],
    ['port = -1', 'port'],
    ['simulate = 1', 'simulate'],
    ['state_dir = ""', 'state_dir'],
    ['log = ["info"]', 'log'],
    ['[port]\nx = 1', 'port.x'],
    ['[mqtt.tls]', 'mqtt.tls'],
    ['[[mqtt]]\nurl = "off"', '"mqtt"'],
    ['mqtt = "off"', '"mqtt"'],
    ['[mqtt]\nbase_topic = "a/#"', 'mqtt.base_topic'],
    ['[network]\ninterfaces = "eth0"', 'network.interfaces'],
    ['[network]\ninterfaces = [1]', 'network.interfaces'],
    ['[network]\nhosts = ["10.0.0.1"]', 'network.hosts'],
    ['[network]\norigins = ["http://x/path"]', 'network.origins'],
    ['[network]\nextra_subnets = ["10.0.0.0"]', 'network.extra_subnets'],
    ['[network]\nextra_subnets = ["::ffff:10.0.0.0/8"]', 'write an IPv4 subnet as 10.0.0.0/8'],
    ['[network]\nextra_subnets = ["::ffff:10.0.0.0/95"]', 'write an IPv4 subnet as 10.0.0.0/8'],
    ['__proto__ = 1', '__proto__'],
    ['port = 1\nport = 2', ':2: not valid TOML'],
    ['port = \n', ':1: not valid TOML'],
    ['when = 2020-01-01', '"when"'],
    [`x = ${'['.repeat(5000)}`, 'not valid TOML'],
    ['port = 99999999999999999999', ':1: '],
    [`# ${'x'.repeat(70_000)}`, 'larger than'],
  ])('number %# names what is wrong', (toml, named) => {
    expect(problemsOf(load(toml))).toContain(named);
  });

  test('of an address with a password does not repeat it', () => {
    const problems = problemsOf(load('', { HEARTHD_MQTT_URL: 'mqtt://hub:hunter2@broker' }));
    expect(problems).toContain('//***@broker');
    expect(problems).not.toContain('hunter2');
  });

  test('comes for a named file that is missing, is no file or is not text', () => {
    const missing = loadConfig({ environment: {}, file: join(folder, 'none.toml'), installed: false });
    expect(problemsOf(missing)).toBe('/none.toml: there is no such file');
    expect(problemsOf(loadConfig({ environment: {}, file: folder, installed: false }))).toContain('EISDIR');
    expect(problemsOf(load(Buffer.from([0x70, 0xff])))).toContain('not UTF-8');
  });

  test('is one printable line per problem for any content of the file', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'binary' }).map((text) => `port = ${JSON.stringify(text)}`),
        ),
        (toml) => {
          const loaded = load(toml);
          const lines = loaded.ok ? [] : loaded.problems;
          expect(lines.filter((line) => /\p{Cc}/u.test(line))).toEqual([]);
        },
      ),
      searchOf(300),
    );
  });
});
