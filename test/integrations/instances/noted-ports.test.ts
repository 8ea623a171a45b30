import { expect, test } from 'vitest';
import type { HttpAnswer } from '#base/network/lan-ports.ts';
import { noteCalls, noteFor } from '#integrations/instances/noted-ports.ts';
import type { InstancePorts } from '#integrations/ports.ts';

type Noted = Pick<
  InstancePorts,
  'clock' | 'http' | 'openWebSocket' | 'openTcp' | 'mqtt' | 'startTimer' | 'awaitCalls' | 'joinProgram'
>;
const ANSWER = { status: 200, headers: {}, body: new Uint8Array(), fingerprint: null } satisfies HttpAnswer;
const never = (): never => {
  throw new Error('nobody asks for this');
};

/** Ports through which each thing comes at once. */
function openPorts(note: () => void): Noted {
  const bare: Noted = {
    clock: { monotonicMs: () => 0, wallMs: () => 0 },
    startTimer: (_ms, run) => {
      run();
      return () => undefined;
    },
    http: {
      request: async () => ANSWER,
      events: async function* () {
        yield { id: '', event: '', data: 'x' };
      },
    },
    openWebSocket: async ({ onMessage }) => {
      onMessage('x');
      return { fingerprint: null, send: never, ended: Promise.resolve({ code: null, reason: '' }), close: never };
    },
    openTcp: async ({ onData }) => {
      onData(new Uint8Array());
      return { send: never, ended: Promise.resolve(), close: never };
    },
    mqtt: () => ({
      run: async (listener) => listener.onMessage({ topic: 'x', payload: Buffer.alloc(0), retained: false }),
      subscribe: never,
      publish: never,
      holdWill: never,
    }),
    awaitCalls: (_mac, take) => {
      const socket = { fingerprint: null, send: never, ended: never as never, close: never };
      take({ peer: '192.168.1.2', socket, listen: (onMessage) => onMessage('x') });
    },
    joinProgram: (_program, part) => ({
      run: async () => part.onMessage({} as never, never),
      send: never,
      renew: never,
    }),
  };
  return { ...noteFor(bare, note), ...noteCalls(bare, note) };
}

type Take = (ports: Noted, take: () => void) => unknown;
const signal = AbortSignal.any([]);
const WAYS: readonly (readonly [string, Take])[] = [
  [
    'a turn of long work',
    ({ clock }, take) => {
      clock.monotonicMs();
      take();
    },
  ],
  ['a timer', ({ startTimer }, take) => startTimer(1, take)],
  ['an answer', async ({ http }, take) => http.request({ url: 'http://x/' }).then(take)],
  [
    'an event',
    async ({ http }, take) => {
      for await (const _event of http.events({ url: 'http://x/' }, signal)) take();
    },
  ],
  ['a WebSocket', ({ openWebSocket }, take) => openWebSocket({ url: 'ws://x/', onMessage: take, signal })],
  ['a TCP connection', ({ openTcp }, take) => openTcp({ host: 'x', defaultPort: 1, onData: take, signal })],
  ['a broker', ({ mqtt }, take) => mqtt('broker').run({ onUp: never, onDown: never, onMessage: take }, signal)],
  [
    'a call of a device',
    ({ awaitCalls }, take) => awaitCalls({ mac: 'mac', isAt: () => false }, ({ listen }) => listen(take), signal),
  ],
  [
    'a program',
    ({ joinProgram }, take) =>
      joinProgram('matter', { name: 'x', begin: never, onMessage: take, onDown: never }).run(signal),
  ],
];

test.each(WAYS)('what comes by %s is noted right before it is dealt with', async (_name, way) => {
  const order: string[] = [];
  await way(
    openPorts(() => void order.push('noted')),
    () => void order.push('dealt with'),
  );
  expect(order.slice(-2)).toEqual(['noted', 'dealt with']);
});
