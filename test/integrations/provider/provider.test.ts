import { expect, test } from 'vitest';
import { createProvider } from '#integrations/provider/provider.ts';
import { describeLight } from '#test/support/hub/feature.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const COMMAND = { externalId: 'a', set: new Map([['on', true]]), action: null, transitionMs: null };
const REPORT = { values: new Map([['on', true]]), occurrences: [], observedAtMs: null, availability: null };

async function openProvider(leaseS = 60) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const sink = createRecordingSink();
  const { provider, ...integration } = createProvider(
    { name: 'Weather', settings: { lease_s: leaseS } },
    { ...time, random: () => 0.5, knownDevices: () => [...sink.devices.keys()], log },
  );
  const end = new AbortController();
  const ended = integration.run(sink, end.signal);
  for (const name of ['a', 'b']) await provider.describeDevice(describeLight(name));
  const states = (): string[] =>
    [...sink.devices.values()].map(({ availability }) =>
      availability === null ? 'none' : [availability.state, availability.reason ?? []].flat().join(' '),
    );
  const status = (): string => [sink.statuses.at(-1)?.state, sink.statuses.at(-1)?.code ?? []].flat().join(' ');
  const stop = async (): Promise<void> => {
    end.abort();
    await ended;
  };
  return { time, lines, sink, provider, integration, states, status, stop };
}

test('a provider that is silent for its lease is an error, its devices are offline and its commands are refused at once', async () => {
  const { time, lines, provider, integration, states, status } = await openProvider();
  expect([status(), states()]).toEqual(['connecting', ['none', 'none']]);
  await expect(integration.sendCommand(COMMAND)).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  provider.report({ ...REPORT, externalId: 'a' });
  provider.renew();
  expect([status(), states()]).toEqual(['connected', ['online', 'none']]);
  const sent = integration.sendCommand(COMMAND).catch((cause: { code: string }) => cause.code);
  await time.advance(59_999);
  expect(status()).toBe('connected');
  await time.advance(1);
  expect([status(), states()]).toEqual([
    'error INTEGRATION_DOWN',
    ['offline integration_down', 'offline integration_down'],
  ]);
  expect(await sent).toBe('COMMAND_FAILED');
  await expect(integration.sendCommand(COMMAND)).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  await time.advance(600_000);
  expect(lines.filter((line) => line.includes('The script has made no call'))).toHaveLength(1);
});

test('after the next call only what the script reports is online, and the rest is unknown', async () => {
  const { time, provider, states, status } = await openProvider();
  await time.advance(60_000);
  expect(states()).toEqual(['offline integration_down', 'offline integration_down']);
  provider.report({ ...REPORT, externalId: 'b' });
  provider.renew();
  await time.advance(0);
  expect([status(), states()]).toEqual(['connected', ['unknown no_report', 'online']]);
});

test('commands under way end when the lease does', async () => {
  const { time, provider, integration } = await openProvider(30);
  provider.renew();
  await time.advance(28_000);
  const sent = integration.sendCommand(COMMAND).catch((cause: { code: string }) => cause.code);
  await time.advance(2_000);
  expect(await sent).toBe('INTEGRATION_DOWN');
});

test('a call that waits for commands keeps the lease, a call that has ended does not', async () => {
  const { time, provider, status } = await openProvider(30);
  provider.renew();
  const client = new AbortController();
  void provider.takeCommands(55_000, client.signal);
  await time.advance(50_000);
  expect(status()).toBe('connected');
  client.abort();
  await time.advance(30_000);
  expect(status()).toBe('error INTEGRATION_DOWN');
});

test.each([
  ['online', 'online'],
  ['offline', 'offline unreachable'],
  ['asleep', 'asleep asleep'],
  ['unknown', 'unknown no_report'],
] as const)('a device that the script says is %s is shown so', async (availability, shown) => {
  const { provider, states } = await openProvider();
  provider.report({ ...REPORT, externalId: 'a', availability });
  expect(states()[0]).toBe(shown);
});

test('done with values reports the values before it counts as evidence', async () => {
  const { time, provider, integration, sink } = await openProvider();
  provider.renew();
  const sent = integration.sendCommand(COMMAND);
  const [command] = await provider.takeCommands(0, new AbortController().signal);
  provider.answerCommand(command?.id ?? '', { status: 'done', values: new Map([['on', false]]) });
  expect(sink.device('a').values.get('on')).toBe(false);
  expect(await sent).toBe('device_ack');
  provider.answerCommand(command?.id ?? '', { status: 'done', values: new Map([['on', true]]) });
  expect(sink.device('a').values.get('on')).toBe(false);
  const late = integration.sendCommand(COMMAND);
  const [next] = await provider.takeCommands(0, new AbortController().signal);
  await time.advance(8_000);
  expect(await late).toBe('none');
  provider.answerCommand(next?.id ?? '', { status: 'sent' });
  provider.answerCommand(next?.id ?? '', { status: 'failed', reason: 'No power.' });
  expect(sink.acknowledgements).toEqual([{ externalId: 'a', keys: ['on'], evidence: 'transport_ack' }]);
  expect(sink.commandFailures).toEqual([{ externalId: 'a', keys: ['on'], reason: 'No power.' }]);
});

test('once it was stopped, nothing of it is left, and each call is refused', async () => {
  const { time, provider, integration, stop } = await openProvider();
  provider.renew();
  const sent = integration.sendCommand(COMMAND).catch((cause: { code: string }) => cause.code);
  const waiting = provider.takeCommands(25_000, new AbortController().signal);
  await time.advance(2_500);
  await stop();
  expect([await sent, await waiting, time.pendingMs()]).toEqual(['INTEGRATION_DOWN', [expect.anything()], []]);
  for (const call of [provider.renew, () => provider.report({ ...REPORT, externalId: 'a' })])
    expect(call).toThrow('switched off');
});
