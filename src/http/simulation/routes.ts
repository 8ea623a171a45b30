import type * as z from 'zod/mini';
import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { TimeZone } from '#base/time/time-zone.ts';
import { type Caller, canCaller } from '#auth/caller.ts';
import { SIMULATION_LIMITS } from '#core/automation-replay/simulation.ts';
import type { SimulationEntry, SimulationRequest, Simulations } from '#core/automation-replay/simulations.ts';
import { seenHomeFor, type SeenHomeDeps } from '#http/automation-run/seen-home.ts';
import { callerOf, insufficientScope, seesLocation } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { readRequest, requireAllSeen, type SimulationReadingDeps } from './asked.ts';
import { type SimulationCreate, simulationCreateSchema, simulationJson, simulationSchema } from './json.ts';
import * as notes from './notes.ts';

type SimulationRoutesDeps = SimulationReadingDeps & {
  readonly simulations: Simulations;
  readonly accounts: SeenHomeDeps['accounts'];
  readonly timeZone: () => TimeZone;
  readonly startTimer: StartTimer;
};

const ONE = '/api/v1/automation_simulation/:id';
const RIGHT = 'automation:read';
/** A simulation that is over sooner needs no second call. */
const AT_ONCE_MS = 1_500;
/** A definition may have more than the usual number of members. */
const MAX_MEMBERS = 8_000;
const MAX_BYTES = 160 * 1024;

/** Makes the calls that tell what an automation would have done in the past. */
export function simulationRoutes(deps: SimulationRoutesDeps): readonly Route[] {
  const { simulations } = deps;
  return [
    defineRoute({
      id: 'createAutomationSimulation',
      method: 'POST',
      path: '/api/v1/automation_simulation',
      summary: 'Try an automation on the past',
      tag: 'Automation',
      note: notes.createAutomationSimulation,
      access: RIGHT,
      body: { ...jsonBody(simulationCreateSchema, MAX_BYTES), maxMembers: MAX_MEMBERS },
      answers: { 200: simulationSchema, 202: simulationSchema },
      audit: { unaudited: 'it changes nothing, and nothing leaves the hub' },
      handle: async (request) => {
        requireSunSeen(callerOf(request), request.body);
        const wanted = await readRequest(deps, request.body);
        requireSeen(deps, request.authorize(), wanted);
        const owner = ownerOf(callerOf(request));
        const entry = simulations.begin(owner, wanted);
        await endOrTime(entry, deps.startTimer);
        if (entry.state.status === 'failed') {
          simulations.cancel(owner, entry.id);
          throw entry.state.error;
        }
        const caller = request.authorize();
        requireSeen(deps, caller, wanted);
        const json = shown(deps, caller, entry);
        if (entry.state.status !== 'running') return { status: 200, json };
        return { status: 202, json, headers: { Location: `/api/v1/automation_simulation/${entry.id}` } };
      },
    }),
    defineRoute({
      id: 'getAutomationSimulation',
      method: 'GET',
      path: ONE,
      summary: 'Show what came of a simulation',
      tag: 'Automation',
      note: notes.getAutomationSimulation,
      access: RIGHT,
      answers: { 200: simulationSchema },
      handle: (request) => {
        const caller = callerOf(request);
        const entry = simulations.find(ownerOf(caller), request.params['id'] ?? '');
        if (entry === undefined) throw noSimulation();
        requireSeen(deps, caller, entry.request);
        return { status: 200, json: shown(deps, caller, entry) };
      },
    }),
    defineRoute({
      id: 'endAutomationSimulation',
      method: 'DELETE',
      path: ONE,
      summary: 'Cancel a simulation',
      tag: 'Automation',
      note: notes.endAutomationSimulation,
      access: RIGHT,
      answers: { 204: null },
      audit: { unaudited: 'it changes nothing but what the same person asked for' },
      handle: (request) => {
        if (!simulations.cancel(ownerOf(callerOf(request)), request.params['id'] ?? '')) throw noSimulation();
        return { status: 204 };
      },
    }),
  ];
}

function noSimulation(): HubError {
  return new HubError('NOT_FOUND', 'There is no such simulation. They are kept for five minutes.');
}

function ownerOf({ user }: Caller): string {
  return user.id;
}

function shown(deps: SimulationRoutesDeps, caller: Caller, entry: SimulationEntry): z.infer<typeof simulationSchema> {
  return simulationJson(entry, { home: seenHomeFor(caller, deps), timeZone: deps.timeZone().name });
}

async function endOrTime({ ended }: SimulationEntry, startTimer: StartTimer): Promise<void> {
  let stopTimer = (): void => undefined;
  const time = new Promise<void>((resolve) => {
    stopTimer = startTimer(AT_ONCE_MS, resolve);
  });
  await Promise.race([ended, time]);
  stopTimer();
}

/** A document of the caller's own could ask for any event of the sun, on any day, which tells where the home is. */
function requireSunSeen(caller: Caller, { definition, compare_definition: compared }: SimulationCreate): void {
  if (seesLocation(caller) || ![definition, compared].some(namesSun)) return;
  throw insufficientScope('hub:manage', ' for a document that waits for the sun and is not saved');
}

function namesSun(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, member]) => name === 'sun' || (name === 'type' && member === 'sun') || namesSun(member),
  );
}

function requireSeen(
  { simulations }: SimulationRoutesDeps,
  caller: Caller,
  { automation, compareTo, inputs }: SimulationRequest,
): void {
  if (!canCaller(caller, 'history:read')) throw insufficientScope('history:read');
  const used = simulations.usedBy([automation.definition, ...(compareTo === null ? [] : [compareTo.definition])]);
  requireAllSeen(caller, used, 'history:read');
  const count = new Set([...used.own.keys(), ...inputs.keys()]).size;
  if (count <= SIMULATION_LIMITS.series) return;
  throw new HubError(
    'SIMULATION_TOO_LARGE',
    `It looks at ${count} features, modes, variables and people, and at most ${SIMULATION_LIMITS.series} can be replayed.`,
  );
}
