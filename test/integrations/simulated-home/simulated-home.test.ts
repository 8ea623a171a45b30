import { expect, test } from 'vitest';
import type { OfferedDevice } from '#integrations/integration.ts';
import { createHousehold, type Household } from '#integrations/simulated-home/household.ts';
import { NEWCOMERS } from '#integrations/simulated-home/household.ts';
import { createSimulatedHome, openHousehold } from '#integrations/simulated-home/simulated-home.ts';
import { describeIntegrationContract } from '#test/integrations/contract.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

describeIntegrationContract('the simulated home', async (time) => {
  const { log, lines } = createRecordingLog();
  const world = createHousehold({ ...time, log, random: createDice(1) });
  const wire: unknown[] = [];
  let listeners = 0;
  const household: Household = {
    ...world,
    listen: (listener) => {
      listeners += 1;
      const stop = world.listen(listener);
      return () => {
        listeners -= 1;
        stop();
      };
    },
    perform: (command) => {
      world.perform(command);
      wire.push(command);
    },
  };
  const open = () => openHousehold({ household, log, ...time });
  const integration = open();
  return {
    integration,
    logLines: lines,
    breakLink: async () => world.setLink(false),
    healLink: async () => world.setLink(true),
    // Only commands come in here: these are the hostile ones.
    sendGarbage: async () => {
      for (const externalId of ['kitchen-ceiling', 'no-such-device', '__proto__']) {
        const set = new Map([['on', '\u0000'.repeat(1000)]]);
        await integration.sendCommand({ externalId, set, action: null, transitionMs: -1 }).catch(() => undefined);
      }
    },
    wire: () => wire,
    command: { externalId: 'bedroom-bedside', key: 'brightness', value: 60 },
    reopen: open,
    // Its devices always know how they are.
    endings: [],
    numbers: null,
    openEnds: () => listeners,
    close: async () => undefined,
  };
});

test('a simulated home offers the rooms of its devices, and one that was paired before is still there', async () => {
  const { log } = createRecordingLog();
  const [newcomer] = NEWCOMERS;
  const ports = { ...createManualTime(), random: createDice(1), log };
  const home = createSimulatedHome(
    { id: 'simulated-home', name: 'Simulated home' },
    { ...ports, knownDevices: () => [newcomer?.description.externalId ?? ''] },
  );
  const offered: OfferedDevice[] = [];
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = home.run(
    {
      ...sink,
      syncDevices: async (devices) => {
        offered.push(...devices);
        return sink.syncDevices(devices);
      },
    },
    abort.signal,
  );
  await ports.advance(0);
  abort.abort();
  await running;
  expect(new Set(offered.map(({ suggestedRoom }) => suggestedRoom))).toEqual(
    new Set(['Kitchen', 'Living room', 'Bedroom', 'Hallway', undefined]),
  );
  expect(
    offered.filter(({ suggestedRoom }) => suggestedRoom === undefined).map(({ externalId }) => externalId),
  ).toEqual([newcomer?.description.externalId]);
});
