import { expect, test } from 'vitest';
import { createHousehold } from '#integrations/simulated-home/household.ts';
import { NEWCOMERS } from '#integrations/simulated-home/household.ts';
import { createPairing } from '#integrations/simulated-home/pairing.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

function createHarness(joined: readonly string[] = []) {
  const time = createManualTime();
  const sink = createRecordingSink();
  const { log } = createRecordingLog();
  const household = createHousehold({ ...time, log, random: createDice(1), joined });
  const pairing = createPairing({ household, sink, clock: time.clock, startTimer: time.startTimer, log });
  const stepsOf = (index: number): string[] =>
    sink.pairing
      .filter(({ externalId }) => externalId === NEWCOMERS[index]?.description.externalId)
      .map(({ step }) => step);
  return { time, sink, household, pairing, stepsOf };
}

test('a new device appears some seconds after pairing was opened, is interviewed and then joins the home', async () => {
  const { time, sink, household, pairing, stepsOf } = createHarness();
  pairing.open(60);
  await time.advance(2_000);
  expect(stepsOf(0)).toEqual([]);
  await time.advance(6_000);
  expect(stepsOf(0)).toEqual(['device_found', 'interview_started', 'interview_done']);
  const externalId = NEWCOMERS[0]?.description.externalId ?? '';
  expect(sink.devices.has(externalId)).toBe(true);
  expect(household.devices.map(({ description }) => description.externalId)).toContain(externalId);
});

test('one of them fails its first interview and is found again', async () => {
  const { time, pairing, stepsOf } = createHarness();
  pairing.open(60);
  await time.advance(30_000);
  expect(stepsOf(1)).toEqual([
    'device_found',
    'interview_started',
    'interview_failed',
    'device_found',
    'interview_started',
    'interview_done',
  ]);
});

test('nothing is found once pairing was closed, and pairing closes by itself', async () => {
  const { time, sink, pairing } = createHarness();
  pairing.open(60);
  pairing.open(0);
  await time.advance(30_000);
  expect(sink.pairing.map(({ step }) => step)).toEqual(['opened', 'closed']);
  pairing.open(1);
  await time.advance(1_000);
  expect(sink.pairing.at(-1)?.step).toBe('closed');
  pairing.stop();
  expect(time.pendingMs()).toEqual([]);
});

test('a device paired before a restart is there after it, and one that has left can be paired again', async () => {
  const known = NEWCOMERS[0]?.description.externalId ?? '';
  const { household } = createHarness([known]);
  expect(household.absent().map(({ description }) => description.externalId)).not.toContain(known);
  household.leave(known, true);
  expect(household.absent()[0]?.description.externalId).toBe(known);
});
