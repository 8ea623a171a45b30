import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createHousehold, type Household } from '#integrations/simulated-home/household.ts';
import { createSimulatedHome } from '#integrations/simulated-home/simulated-home.ts';
import { describeIntegrationContract } from '#test/integrations/contract.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

describeIntegrationContract('the simulated home', async () => {
  const { log, lines } = createRecordingLog();
  const world = createHousehold({ clock: systemClock, startTimer: startSystemTimer, random: createDice(1) });
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
  const open = () => createSimulatedHome({ household, log, clock: systemClock, startTimer: startSystemTimer });
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
    openEnds: () => listeners,
    close: async () => undefined,
  };
});
