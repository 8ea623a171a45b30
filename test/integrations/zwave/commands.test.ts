import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import { type Latest, sendCommand } from '#integrations/zwave/commands.ts';
import { createNetwork } from '#integrations/zwave/network.ts';
import { createProofs } from '#integrations/zwave/proofs.ts';
import { serverRefusal } from '#integrations/zwave/server-fault.ts';
import { keyOf, type ValueId } from '#integrations/zwave/zwave-message.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const TARGET: ValueId = { commandClass: 37, endpoint: 0, property: 'targetValue' };
type Answer = { readonly resolve: (answer: JsonObject) => void; readonly reject: (cause: Error) => void };

const FAILS = (answer: Answer): void => answer.reject(serverRefusal('Controller_NodeTimeout'));
const SUCCEEDS = (answer: Answer): void => answer.resolve({ result: { status: 255 } });

const AT = `2/${keyOf(TARGET)}`;

/** The commands of one switch, whose answers the test gives. */
function openCommands() {
  const time = createManualTime();
  const proofs = createProofs(time.startTimer, time.clock.monotonicMs);
  const answers: Answer[] = [];
  const sink = createRecordingSink();
  const { monotonicMs } = time.clock;
  const network = {
    ...createNetwork({ sink, proofs, takeRooms: false, knownDevices: () => [], monotonicMs }),
    plan: ({ set }: Pick<DeviceCommand, 'set'>) => ({
      nodeId: 2,
      planned: [{ keys: ['on'], sending: { id: TARGET, value: set.get('on') === true, canFade: false } }],
    }),
  };
  const latest: Latest = new Map();
  const deps = {
    latest,
    proofs,
    network,
    sink,
    startTimer: time.startTimer,
    call: () => new Promise<JsonObject>((resolve, reject) => void answers.push({ resolve, reject })),
  };
  const send = (on: boolean) =>
    sendCommand({ externalId: '2', action: null, set: new Map([['on', on]]), transitionMs: null }, deps);
  return { time, proofs, answers, send, sink, latest };
}

test.each<[string, (answer: Answer) => void]>([
  ['that fails', FAILS],
  ['that succeeds', SUCCEEDS],
])('an older command %s late takes no proof from the newer one', async (_what, end) => {
  const { time, proofs, answers, send } = openCommands();
  const first = send(false);
  await time.advance(8_000);
  await expect(first).resolves.toBe('none');
  const second = send(true);
  const [late, own] = answers;
  if (late === undefined || own === undefined) throw new Error('two commands have two calls');
  end(late);
  await time.advance(0);
  own.resolve({ result: { status: 254 } });
  await expect(second).resolves.toBe('transport_ack');
  expect(proofs.isGuess(AT, true)).toBe(true);
});

test.each<[string, (answer: Answer) => void]>([
  ['that fails', FAILS],
  ['that succeeds', SUCCEEDS],
])('an older command %s late is no outcome of the newer one', async (_what, end) => {
  const { time, answers, send, sink, latest } = openCommands();
  const first = send(false);
  await time.advance(8_000);
  await expect(first).resolves.toBe('none');
  const second = send(true);
  await time.advance(8_000);
  await expect(second).resolves.toBe('none');
  const [late, own] = answers;
  if (late === undefined || own === undefined) throw new Error('two commands have two calls');
  end(late);
  await time.advance(0);
  expect([...sink.commandFailures, ...sink.acknowledgements]).toEqual([]);
  FAILS(own);
  await time.advance(0);
  expect(sink.commandFailures).toMatchObject([{ externalId: '2', keys: ['on'] }]);
  expect(latest.size).toBe(0);
});

test('an older command that fails after the newer one was done says nothing of it', async () => {
  const { time, answers, send, sink, latest } = openCommands();
  void send(false);
  await time.advance(8_000);
  const second = send(true);
  const [late, own] = answers;
  if (late === undefined || own === undefined) throw new Error('two commands have two calls');
  SUCCEEDS(own);
  await expect(second).resolves.toBe('device_ack');
  FAILS(late);
  await time.advance(0);
  expect(sink.commandFailures).toEqual([]);
  expect(latest.size).toBe(0);
});
