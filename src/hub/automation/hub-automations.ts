import type { Audit } from '#auth/audit/audit.ts';
import type { Log } from '#base/log.ts';
import type { Random } from '#base/random.ts';
import { type SafeMode, SERVED_AUTOMATIONS } from '#base/safe-mode/safe-mode.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { OpenHubClock } from '#base/time/hub-clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { openAutomationEngine } from '#automations/engine/automation-engine.ts';
import type { EngineAutomations, EngineReports } from '#automations/engine/engine-ports.ts';
import type { PastSource } from '#automations/engine/recent-past.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { type Hooks, openHooks } from '#core/automation/hook/hooks.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { openRunHistory, type RunHistory } from '#core/automation-run/trace/run-history.ts';
import { type AutomationRun, isDull } from '#core/automation-run/trace/trace.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { IntegrationState } from '#core/integration/integration-status.ts';
import type { EventLog } from '#core/event/event-log.ts';
import type { HubIdentity } from '#core/hub-identity.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { noteSensitiveBy } from '#http/command/audit.ts';
import { errorForAll } from '#http/rights/attempt-error.ts';
import type { Household } from '#hub/hub-household.ts';
import type { People } from '#hub/hub-people.ts';
import type { Placed } from '#hub/hub-place.ts';
import { createReceiverHttp, type HubWebhooksDeps } from '#hub/hub-webhooks.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import type { Instances } from '#integrations/instances/instances.ts';
import type { Storage } from '#storage/storage.ts';
import { createPost } from '#webhooks/post.ts';
import { createFindSigner, createMayCaller, createMayReachHub, mayLetCall } from './signers.ts';

/** The automations as they run, and what they did. */
export type RunningAutomations = {
  readonly automationEngine: AutomationEngine;
  readonly hooks: Hooks;
  readonly runHistory: Pick<RunHistory, 'runs' | 'nearMisses' | 'forgetPresence'>;
  /** Whether the hub runs no automation, because they ended it again and again, and nothing has begun them since. */
  readonly areAutomationsPutOff: () => boolean;
  /** Runs them again. May be asked again where it throws. */
  readonly resumeAutomations: () => Promise<void>;
};

type Deps = Pick<HubWebhooksDeps, 'findAddresses'> & {
  readonly version: string;
  readonly storage: Pick<Storage, 'entries' | 'runs' | 'automationHooks'>;
  readonly clock: Clock;
  readonly hubClock: Omit<OpenHubClock, 'stop'>;
  readonly safeMode: SafeMode;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
};

type Home = Pick<Household, 'modes' | 'variables' | 'presence'> &
  Pick<People, 'accounts' | 'apiTokens'> &
  Pick<Placed, 'place'> & {
    readonly identity: Pick<HubIdentity, 'timeZone'>;
    readonly audit: Audit;
    readonly devices: DeviceRegistry;
    readonly scenes: SceneRegistry;
    readonly commands: CommandService;
    readonly events: EventLog;
    readonly automations: AutomationRegistry;
    readonly notifications: Notifications;
    readonly instances: Pick<Instances, 'list'>;
    readonly supervisor: Pick<Supervisor, 'statusOf'>;
    readonly past: PastSource;
  };

const SEED_BYTES = 6;
/** Integrations in other states are there, or wait for a person. */
const WAITED_FOR: ReadonlySet<IntegrationState> = new Set<IntegrationState>(['connecting', 'error']);
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Starts the automations: runs go on where they were. All that they see and use must be there before. */
export async function startAutomations(deps: Deps, home: Home, stops: StopList): Promise<RunningAutomations> {
  const { storage, clock, hubClock, startTimer, safeMode } = deps;
  const { automations, identity } = home;
  const log = deps.log.part('automations');
  const { timeZone } = identity;
  const runHistory = await openRunHistory({
    store: storage.runs,
    hubClock,
    startTimer,
    timeZone,
    isKnown: isKept(automations),
  });
  stops.add('the traces of automations', runHistory.stop);
  const post = createPost({ httpFor: createReceiverHttp(deps) });
  let isBegun = false;
  const isPutOff = (): boolean => !isBegun;
  const { engine, begin, close } = openAutomationEngine({
    ...deps,
    ...home,
    machineMs: clock.wallMs,
    monotonicMs: clock.monotonicMs,
    home: { ...home, people: () => home.accounts.users().flatMap(({ id, role }) => (role === 'guest' ? [] : [id])) },
    automations: { ...engineAutomations(automations), mayReachHub: createMayReachHub(home) },
    findSigner: createFindSigner(home),
    mayCaller: createMayCaller(home),
    integrations: () =>
      new Map(home.instances.list().map(({ id }) => [id, home.supervisor.statusOf(id).state === 'connected'])),
    isReachable: () => home.instances.list().every(({ id }) => !WAITED_FOR.has(home.supervisor.statusOf(id).state)),
    zone: timeZone,
    store: storage.entries,
    reports: engineReports({ ...home, ...runHistory, log }),
    send: async ({ method, url, body, mayReachHub }, signal) => {
      const { error } = await post(
        { method, url, body, mayReachHub, headers: body === null ? {} : JSON_HEADERS },
        signal,
      );
      if (error === null) return { error };
      return { error: errorForAll(error).message, detail: error.message };
    },
    runs: runHistory.runs,
    noteServed: () => {
      const before = safeMode.note(SERVED_AUTOMATIONS);
      return () => void safeMode.note(before);
    },
    isPutOff,
    seed: deps.random(SEED_BYTES).toString('hex'),
    log,
  });
  stops.add('automations', close);
  const beginMarked = async (): Promise<void> => {
    await safeMode.during(SERVED_AUTOMATIONS, begin);
    isBegun = true;
  };
  if (!safeMode.holds(SERVED_AUTOMATIONS)) await beginMarked();
  const inTurn = createTurnQueue();
  const hooks = await openHooks({
    store: storage.automationHooks,
    automations,
    mayLetCall: (signer, record) => mayLetCall(home, signer, record),
    random: deps.random,
    monotonicMs: clock.monotonicMs,
  });
  stops.add('hooks', hooks.stop);
  return {
    automationEngine: engine,
    hooks,
    runHistory,
    areAutomationsPutOff: isPutOff,
    resumeAutomations: () =>
      inTurn(async () => {
        await safeMode.release(SERVED_AUTOMATIONS);
        if (!isBegun) await beginMarked();
      }),
  };
}

/** True also for automations in the trash. */
function isKept({ find, findInTrash }: AutomationRegistry): (id: AutomationId) => boolean {
  return (id) => (find(id) ?? findInTrash(id)) !== undefined;
}

type ReportParts = Pick<Home, 'automations' | 'audit' | 'devices' | 'events'> &
  Pick<RunHistory, 'runs' | 'nearMisses'> & { readonly log: Log };

/** Where the engine's traces go, and the audit of its sensitive commands. */
function engineReports({ runs, nearMisses, log, ...home }: ReportParts): EngineReports {
  return {
    putRun: (run) => {
      const known = runs.find(run.id);
      runs.put(run);
      tellRun(home, run, known);
    },
    putNearMiss: nearMisses.put,
    noteCommand: (command) => {
      const by = { peer: null, userId: command.createdBy.userId };
      noteSensitiveBy({ audit: home.audit, registry: home.devices }, by, command).catch((cause: unknown) => {
        log.error('a command of an automation cannot be audited', { command: command.id, cause });
      });
    },
  };
}

/** Only clients that ask for them get the dull runs: these are most of what a restless sensor makes. */
function tellRun(
  { automations, events }: Pick<Home, 'automations' | 'events'>,
  run: AutomationRun,
  known: AutomationRun | undefined,
): void {
  const automation = automations.find(run.automation);
  const { id, outcome } = run;
  // The end of a command may come after the end of its run.
  const isOld = known !== undefined && known.outcome !== 'running';
  if (automation === undefined || isOld) return;
  // A client that saw the start sees the end, also if the run came to nothing.
  const type = isDull(run) && known === undefined ? 'automation.run.dull' : 'automation.run';
  const phase = outcome !== 'running' ? 'finished' : known === undefined ? 'started' : 'waiting';
  events.append({ type, automation, run: id, phase, outcome });
}

function engineAutomations(registry: AutomationRegistry): Omit<EngineAutomations, 'mayReachHub'> {
  return {
    all: () => registry.automations().map(registry.asActive),
    nameOf: (id) => registry.find(id)?.name ?? id,
    opens: registry.opens,
    loadVersion: async (id, version) => {
      const found = await registry.findVersion(id, version);
      return found && { id, version, definition: found.definition };
    },
    suspend: async (id, code) => void (await registry.suspend(id, code)),
    setEnabled: async (id, enabled) => void (await registry.change(id, { enabled })),
    subscribe: registry.subscribe,
  };
}
