import { expect, test } from 'vitest';
import type { AcceptWebSocket, UpgradeRequest } from '#base/network/lan-ports.ts';
import { createDeviceCalls } from '#integrations/instances/device-calls.ts';
import type { DeviceCall } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const FORM = { nameIn: 'src', macIn: /-([0-9a-f]{12})$/ };
const FLOOD = { mac: 'a0b0c0d0e011', address: '192.168.1.30' };

/** Calls whose sockets stay open until the hub ends them. */
function openCalls() {
  const time = createManualTime();
  const taken: DeviceCall[] = [];
  const open: string[] = [];
  const said = new Map<string, (text: string) => void>();
  const accept: AcceptWebSocket = async ({ incoming }, { onMessage, signal }) => {
    const name = incoming as unknown as string;
    open.push(name);
    said.set(name, onMessage);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const close = (): void => {
      if (open.includes(name)) open.splice(open.indexOf(name), 1);
      end();
    };
    signal.addEventListener('abort', close, { once: true });
    return { fingerprint: null, send: () => undefined, close, ended } as unknown as ReturnType<AcceptWebSocket>;
  };
  const calls = createDeviceCalls({ accept, ...time, log: createRecordingLog().log });
  let number = 0;
  /** The name of the call; what was thrown where it was refused. */
  const call = async (peer: string): Promise<string> => {
    try {
      calls.admit(peer);
    } catch (cause) {
      return (cause as { code: string }).code;
    }
    number += 1;
    const name = `${peer} ${number}`;
    calls.open({ incoming: name, socket: { destroy: () => undefined } } as unknown as UpgradeRequest, peer, FORM);
    await time.advance(0);
    return name;
  };
  const ending = new AbortController();
  calls.awaitCalls(
    { mac: FLOOD.mac, isAt: (peer) => peer === FLOOD.address },
    (one) => void taken.push(one),
    ending.signal,
  );
  return { time, calls, call, open, taken, said };
}

test('a device that sleeps is heard while strangers with many addresses keep calling and say nothing', async () => {
  const { time, call, open, taken, said } = openCalls();
  let rounds = 0;
  for (let at = 0; at < 400; at += 1) {
    await call(`192.168.1.${100 + (at % 100)}`);
    if (at % 40 !== 39) continue;
    rounds += 1;
    const name = await call(FLOOD.address);
    said.get(name)?.(JSON.stringify({ src: `shellyflood-${FLOOD.mac}`, method: 'NotifyFullStatus' }));
    await time.advance(2_100);
    taken.at(-1)?.socket.close();
    await time.advance(0);
  }
  expect(taken).toHaveLength(rounds);
  expect(open.length).toBeLessThanOrEqual(8);
});

test('a new stranger ends the oldest call of the network that has most', async () => {
  const { call, open } = openCalls();
  const first = await call('192.168.1.9');
  const own: string[] = [];
  for (let at = 0; at < 7; at += 1) own.push(await call(`fd00::${at + 1}`));
  const late = await call('192.168.1.8');
  expect(open).toEqual([first, ...own.slice(1), late]);
});

test('an address where a device is waited for has four places, and others none of them', async () => {
  const { call, open } = openCalls();
  for (let at = 0; at < 4; at += 1) await call(FLOOD.address);
  expect(await call(FLOOD.address)).toBe('OVERLOADED');
  for (let at = 0; at < 20; at += 1) await call(`192.168.1.${100 + at}`);
  expect(open.filter((name) => name.startsWith(FLOOD.address))).toHaveLength(4);
  expect(open).toHaveLength(12);
});
