import { expect, test } from 'vitest';
import { createBridgeState } from '#integrations/matter-bridge/bridge-state.ts';

type Pairing = { readonly step: string; readonly seconds: number | null; readonly detail: unknown };

function openState() {
  const said: Pairing[] = [];
  let nowMs = 5_000;
  const sink = {
    reportStatus: () => undefined,
    reportPairing: ({ step, seconds, detail }: Pairing) => void said.push({ step, seconds, detail }),
  };
  const state = createBridgeState(sink, () => nowMs);
  state.take({ type: 'started' });
  return { state, said, pass: (ms: number) => void (nowMs += ms) };
}

const CODES = { manualCode: '34970112332', qr: 'MT:Y.K9042C00KA0648G00', seconds: 200 };

test('an open window says for how long, in its event and afterwards, also if it gets more time', () => {
  const { state, said, pass } = openState();
  state.take({ type: 'window', codes: CODES, why: null });
  expect(said).toEqual([{ step: 'opened', seconds: 200, detail: null }]);
  const { seconds: _seconds, ...shown } = CODES;
  expect(state.report().codes).toEqual({ ...shown, remainingS: 200 });
  pass(60_400);
  expect(state.report().codes).toMatchObject({ remainingS: 140 });
  state.take({ type: 'window', codes: { ...CODES, seconds: 250 }, why: null });
  expect(said.at(-1)).toEqual({ step: 'opened', seconds: 250, detail: null });
  expect(state.report().codes).toMatchObject({ remainingS: 250 });
  // The hub counts, the node closes: what the hub still has of it is never less than nothing.
  pass(300_000);
  expect(state.report().codes).toMatchObject({ remainingS: 0 });
});

test('a window that is closed has no codes, and says why', () => {
  const { state, said } = openState();
  state.take({ type: 'window', codes: CODES, why: null });
  state.take({ type: 'window', codes: null, why: 'joined' });
  expect(said.at(-1)).toEqual({ step: 'closed', seconds: null, detail: 'another home has the bridge now' });
  expect(state.report().codes).toBeNull();
});
