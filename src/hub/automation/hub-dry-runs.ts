import process from 'node:process';
import { actRefusal } from '#automations/engine/home-acts.ts';
import { tryCommand } from '#automations/engine/command-desk.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { RunView } from '#core/automation-run/engine.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { compileProgram } from '#core/automation-run/program/program.ts';
import type { PresentHome } from '#core/automation-replay/dry-run.ts';
import type { UsedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Simulations } from '#core/automation-replay/simulations.ts';
import type { CheckedCommand, TryStart } from '#core/automation-replay/simulation.ts';
import type { Cause } from '#core/cause/cause.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { Household } from '#hub/hub-household.ts';
import { type People, residentsOf } from '#hub/hub-people.ts';
import { createFindSigner, createMayCaller } from './signers.ts';

type TryStartDeps = Pick<HubContext, 'identity'> & {
  readonly people: Pick<People, 'accounts' | 'apiTokens'>;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly commands: Pick<CommandService, 'check'>;
  readonly household: Pick<Household, 'modes' | 'variables' | 'presence' | 'place'>;
  readonly automations: Pick<AutomationRegistry, 'find'>;
  readonly runningAutomations: { readonly automationEngine: Pick<AutomationEngine, 'now'> };
  readonly simulations: Pick<Simulations, 'usedBy'>;
};

/**
 * A person waits for it, and nothing else runs meanwhile. It is processor time of the hub: on a busy machine as well, a
 * run comes as far.
 */
const MOST_WORK_MS = 200;

/** Tells what the start of an automation would do on the home as it is now; each command is checked as the real one would be. */
export function createTryStart(deps: TryStartDeps): TryStart {
  const { devices, scenes, commands } = deps;
  const findSigner = createFindSigner({ ...deps.people, automations: deps.automations });
  const mayCaller = createMayCaller(deps.people);
  return async (record, asked) => {
    // The code that works it out is read with the first question.
    const { dryRun } = await import('#core/automation-replay/dry-run.ts');
    const before = process.cpuUsage();
    const isOver = (): boolean => {
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000 > MOST_WORK_MS;
    };
    const used = deps.simulations.usedBy([record.definition]);
    const result = dryRun(record, presentHome(deps, used), { ...asked, isOver });
    if (result === undefined) return undefined;
    const program = compileProgram(record);
    const ports = { devices, scenes, commands, findSigner, mayCaller, findProgram: () => program };
    return {
      run: result.run,
      isOver: result.isOver,
      commands: result.commands.map((command): CheckedCommand => ({ command, check: tryCommand(command, ports) })),
      others: result.others.map((effect) => ({ effect, refused: actRefusal(effect, findSigner(effect.automation)) })),
    };
  };
}

function presentHome({ household, identity, ...deps }: TryStartDeps, used: UsedSeries): PresentHome {
  const { modes, variables, presence, place } = household;
  const view = deps.runningAutomations.automationEngine.now();
  const causes = new Map<string, Cause>();
  const people = residentsOf(deps.people.accounts);
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

/** The device with its values as automations see them, whose times are those of the hub's clock. */
function asSeen(device: Device, view: RunView, causes: Map<string, Cause>): Device {
  const states = new Map(device.states);
  for (const [key, state] of states) {
    const seen = view.value(device.id, key);
    if (seen === undefined) continue;
    states.set(key, { ...state, changedAtMs: seen.changedAtMs });
    if (seen.cause !== null) causes.set(`${device.id} ${key}`, seen.cause);
  }
  const { sinceMs = device.availability.sinceMs } = view.availability(device.id) ?? {};
  return { ...device, states, availability: { ...device.availability, sinceMs } };
}
