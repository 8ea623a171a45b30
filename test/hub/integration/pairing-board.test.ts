import { expect, test } from 'vitest';
import type { PairingProgress } from '#core/integration/pairing.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createPairingBoard } from '#hub/integration/pairing-board.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const NOTHING = { externalId: null, deviceId: null, seconds: null, detail: null };
const LAMP: PairingProgress = { ...NOTHING, step: 'interview_done', externalId: 'lamp' };
const ATTESTING: PairingProgress = { ...NOTHING, step: 'interview_started', detail: { step: 'attesting' } };

function openBoard() {
  const listeners = new Set<(event: HomeEvent) => void>();
  const time = createManualTime();
  const subscribe = (listener: (event: HomeEvent) => void): (() => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  const board = createPairingBoard({ events: { subscribe: subscribe as never }, clock: time.clock });
  const say = (event: HomeEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const pair = (integration: string, pairing: PairingProgress): void =>
    say({ type: 'pairing.changed', integration, pairing });
  return { board, time, say, pair };
}

test('who comes late learns for how long devices may join, and how far each is', async () => {
  const { board, time, pair } = openBoard();
  expect(board.stateOf('matter')).toEqual({ remainingS: null, progress: [] });
  pair('matter', { ...NOTHING, step: 'opened', seconds: 240 });
  await time.advance(100_000);
  pair('matter', ATTESTING);
  expect(board.stateOf('matter')).toEqual({ remainingS: 140, progress: [ATTESTING] });
  expect(board.stateOf('zigbee2mqtt')).toEqual({ remainingS: null, progress: [] });
  pair('matter', LAMP);
  expect(board.stateOf('matter').progress).toEqual([LAMP]);
  pair('matter', { ...NOTHING, step: 'closed' });
  expect(board.stateOf('matter')).toEqual({ remainingS: null, progress: [LAMP] });
  pair('matter', { ...NOTHING, step: 'opened', seconds: 240 });
  expect(board.stateOf('matter').progress).toEqual([]);
});

test('an integration that ends without a word leaves no open door on the board', async () => {
  const { board, time, say, pair } = openBoard();
  pair('zigbee2mqtt', { ...NOTHING, step: 'opened', seconds: 60 });
  await time.advance(60_000);
  expect(board.stateOf('zigbee2mqtt').remainingS).toBeNull();
  pair('zigbee2mqtt', LAMP);
  say({ type: 'integration.removed', integration: 'zigbee2mqtt' });
  expect(board.stateOf('zigbee2mqtt').progress).toEqual([]);
});

test('a thousand devices leave the last hundred, each once', () => {
  const { board, pair } = openBoard();
  for (let one = 0; one < 1_000; one += 1) pair('zigbee2mqtt', { ...LAMP, externalId: `lamp ${one % 500}` });
  const { progress } = board.stateOf('zigbee2mqtt');
  expect(new Set(progress.map(({ externalId }) => externalId)).size).toBe(100);
  expect(progress.at(-1)?.externalId).toBe('lamp 499');
});
