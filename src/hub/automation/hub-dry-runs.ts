import process from 'node:process';
import { actRefusal } from '#automations/engine/home-acts.ts';
import { tryCommand } from '#automations/engine/command-desk.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import type { Accounts } from '#auth/account/accounts.ts';
import type { Automation, AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { RunView } from '#core/automation-run/engine.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { compileProgram } from '#core/automation-run/program/program.ts';
import type { PresentHome } from '#core/automation-replay/dry-run.ts';
import type { UsedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Simulations } from '#core/automation-replay/simulations.ts';
import type { CheckedCommand, TryStart } from '#core/automation-replay/try-start.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { Place } from '#core/place/place.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import type { Household } from '#hub/hub-household.ts';
import { peopleOf } from './hub-simulations.ts';
import { createFindSigner, createMayCaller } from './signers.ts';

type Home = Parameters<typeof createFindSigner>[0] &
  Parameters<typeof createMayCaller>[0] &
  Pick<Household, 'modes' | 'variables' | 'presence'> & {
    readonly accounts: Pick<Accounts, 'users'>;
    readonly automationEngine: Pick<AutomationEngine, 'now'>;
    readonly simulations: Pick<Simulations, 'usedBy'>;
    readonly commands: Pick<CommandService, 'check'>;
    readonly devices: Pick<DeviceRegistry, 'findDevice'>;
    readonly scenes: Pick<SceneRegistry, 'findScene'>;
    readonly place: Place;
    readonly identity: Pick<HubIdentity, 'timeZone'>;
  };

/**
 * It is for a person who waits, and nothing else runs meanwhile. Processor time of the hub: on a busy machine as well,
 * a run comes as far.
 */
const MOST_WORK_MS = 200;

/** What the start of an automation would do on the home as it is now, each command checked as the real one would be. */
export function createTryStart(home: Home): TryStart {
  const findSigner = createFindSigner(home);
  const mayCaller = createMayCaller(home);
  return async (record, asked) => {
    // What works it out is read with the first question.
    const { dryRun } = await import('#core/automation-replay/dry-run.ts');
    const before = process.cpuUsage();
    const isLate = (): boolean => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 > MOST_WORK_MS;
    };
    const used = home.simulations.usedBy([record.definition]);
    const found = dryRun(asReady(record), presentHome(home, used), { ...asked, isLate });
    if (found === undefined) return undefined;
    const program = compileProgram(record);
    const deps = { ...home, findSigner, mayCaller, findProgram: () => program };
    return {
      run: found.run,
      isOver: found.isOver,
      commands: found.commands.map((command): CheckedCommand => ({ command, check: tryCommand(command, deps) })),
      others: found.others.map((effect) => ({
        effect,
        refused: actRefusal(effect, findSigner(effect.automation)),
      })),
    };
  };
}

function asReady({ id, version, definition }: AutomationRecord): Automation {
  return { id, version, definition, state: 'ready', broken: [], signedAtMs: 0, isDurable: false };
}

function presentHome(home: Home, used: UsedSeries): PresentHome {
  const { modes, variables, presence, place, identity } = home;
  const view = home.automationEngine.now();
  const causes = new Map<string, Cause>();
  const people = peopleOf(home);
  return {
    home: {
      devices: used.devices.map((device) => asSeen(device, view, causes)),
      scenes: used.scenes,
      people,
    },
    modes: new Map(modes.modes().map(({ key, value }) => [key, value])),
    variables: new Map(variables.variables().map(({ key, value }) => [key, value])),
    people: new Map(people.map((id) => [id, presence.presenceOf(id).state])),
    causes,
    history: view.history,
    steerRefusal: view.steerRefusal,
    clock: (timeIn) =>
      createCivilTime({ zone: identity.timeZone, place: place.location, isFree: place.isFree, timeIn }),
    nowMs: view.now.hubMs,
    isClockSet: view.now.wallMs !== undefined,
  };
}

/** With its values as automations see them, whose times are those of the hub's clock. */
function asSeen(device: Device, view: RunView, causes: Map<string, Cause>): Device {
  const states = new Map(device.states);
  for (const [key, state] of states) {
    const seen = view.value(device.id, key);
    if (seen === undefined) continue;
    states.set(key, { ...state, changedAtMs: seen.changedAtMs });
    if (seen.cause !== null) causes.set(`${device.id} ${key}`, seen.cause);
  }
  return { ...device, states, availability: { ...device.availability, ...view.availability(device.id) } };
}
