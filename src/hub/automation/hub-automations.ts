import { SERVED_AUTOMATIONS } from '#base/safe-mode/safe-mode.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { openAutomationEngine } from '#automations/engine/automation-engine.ts';
import type { EngineAutomations, EngineReports } from '#automations/engine/engine-ports.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { type Hooks, openHooks } from '#core/automation/hook/hooks.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import { openRunHistory, type RunHistory } from '#core/automation-run/trace/run-history.ts';
import { type AutomationRun, isDull } from '#core/automation-run/trace/trace.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { IntegrationState } from '#core/integration/integration-status.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { noteSensitiveBy } from '#http/command/audit.ts';
import { errorForAll } from '#http/rights/attempt-error.ts';
import type { Past } from '#hub/history/hub-history.ts';
import type { HubContext } from '#hub/hub-context.ts';
import type { Household } from '#hub/hub-household.ts';
import { type People, residentsOf } from '#hub/hub-people.ts';
import { createReceiverHttp } from '#hub/hub-webhooks.ts';
import type { Integrations } from '#hub/integration/hub-integrations.ts';
import type { HubNotifications } from '#hub/notification/hub-notifications.ts';
import { createPost, type Post } from '#webhooks/post.ts';
import { createFindSigner, createMayCaller, createMayReachHub, mayLetCall } from './signers.ts';

/** The automations as they run, and the traces of what they did. */
export type RunningAutomations = {
  readonly automationEngine: AutomationEngine;
  readonly hooks: Hooks;
  readonly runHistory: Pick<RunHistory, 'runs' | 'nearMisses' | 'forgetPresence'>;
  /** Whether the hub runs no automation, because they ended it again and again, and nothing has begun them since. */
  readonly areAutomationsPutOff: () => boolean;
  /** Runs them again. Where it throws, it may be called again. */
  readonly resumeAutomations: () => Promise<void>;
};

type AutomationsDeps = HubContext & {
  readonly people: Pick<People, 'accounts' | 'apiTokens' | 'audit'>;
  readonly devices: DeviceRegistry;
  readonly scenes: SceneRegistry;
  readonly commands: CommandService;
  readonly household: Pick<Household, 'modes' | 'variables' | 'presence' | 'place'>;
  readonly past: Pick<Past, 'heard'>;
  readonly automations: AutomationRegistry;
  readonly notification: Pick<HubNotifications, 'notifications'>;
  readonly integrations: Pick<Integrations, 'instances' | 'supervisor'>;
};

const SEED_BYTES = 6;
/** An integration in another state is there, or waits for a person. */
const WAITED_FOR: ReadonlySet<IntegrationState> = new Set<IntegrationState>(['connecting', 'error']);
const JSON_HEADERS = { 'content-type': 'application/json' };

/** Starts the automations: runs go on where they were. Everything that they see and use must be there before. */
export async function startAutomations(deps: AutomationsDeps): Promise<RunningAutomations> {
  const { storage, clock, hubClock, startTimer, safeMode, stops, devices, scenes, automations } = deps;
  const { accounts, apiTokens, audit } = deps.people;
  const { modes, variables, presence, place } = deps.household;
  const { instances, supervisor } = deps.integrations;
  const log = deps.log.part('automations');
  const { timeZone } = deps.identity;
  const runHistory = await openRunHistory({
    store: storage.runs,
    hubClock,
    startTimer,
    timeZone,
    isKnown: isThere(automations),
  });
  stops.add('the traces of automations', runHistory.stop);
  const signers = { automations, accounts, apiTokens };
  const post = createPost({ httpFor: createReceiverHttp(deps) });
  let isBegun = false;
  const isPutOff = (): boolean => !isBegun;
  const { engine, begin, close } = openAutomationEngine({
    ...deps,
    machineMs: clock.wallMs,
    monotonicMs: clock.monotonicMs,
    home: { devices, scenes, modes, variables, presence, people: () => residentsOf(accounts) },
    place,
    past: {
      history: storage.history,
      heard: deps.past.heard,
      onPastChange: storage.onPastChange,
      onMoved: storage.onMoved,
    },
    automations: { ...engineAutomations(automations), mayReachHub: createMayReachHub(signers) },
    findSigner: createFindSigner(signers),
    mayCaller: createMayCaller(signers),
    notifications: deps.notification.notifications,
    integrations: () => new Map(instances.list().map(({ id }) => [id, supervisor.statusOf(id).state === 'connected'])),
    isReachable: () => instances.list().every(({ id }) => !WAITED_FOR.has(supervisor.statusOf(id).state)),
    zone: timeZone,
    store: storage.entries,
    reports: engineReports({ automations, audit, devices, events: deps.events, runHistory, log }),
    send: createSend(post),
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
    mayLetCall: (signer, record) => mayLetCall(signers, signer, record),
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

/** Sends what a step of an automation asks of another machine. */
function createSend(post: Post): Parameters<typeof openAutomationEngine>[0]['send'] {
  return async ({ method, url, body, mayReachHub }, signal) => {
    const headers = body === null ? {} : JSON_HEADERS;
    const { error } = await post({ method, url, body, mayReachHub, headers }, signal);
    if (error === null) return { error };
    const { code: id, message } = errorForAll(error);
    return { error: { id, with: {}, message }, detail: error.message };
  };
}

/** Whether an automation is there, be it in the trash. */
function isThere({ find, findInTrash }: AutomationRegistry): (id: AutomationId) => boolean {
  return (id) => (find(id) ?? findInTrash(id)) !== undefined;
}

type ReportDeps = Pick<AutomationsDeps, 'automations' | 'devices' | 'events' | 'log'> &
  Pick<People, 'audit'> & { readonly runHistory: Pick<RunHistory, 'runs' | 'nearMisses'> };

/** Takes the engine's traces, and notes its sensitive commands in the audit log. */
function engineReports({ runHistory, audit, devices, log, ...deps }: ReportDeps): EngineReports {
  const { runs, nearMisses } = runHistory;
  return {
    putRun: (run) => {
      const before = runs.find(run.id);
      runs.put(run);
      tellRun(deps, run, before);
    },
    putNearMiss: nearMisses.put,
    noteCommand: (command) => {
      const by = { peer: null, userId: command.createdBy.userId };
      noteSensitiveBy({ audit, registry: devices }, by, command).catch((cause: unknown) => {
        log.error('a command of an automation cannot be audited', { command: command.id, cause });
      });
    },
  };
}

/** Only clients that ask for them get the dull runs: these are most of what a restless sensor makes. */
function tellRun(
  { automations, events }: Pick<AutomationsDeps, 'automations' | 'events'>,
  run: AutomationRun,
  before: AutomationRun | undefined,
): void {
  const automation = automations.find(run.automation);
  const { id, outcome } = run;
  // The end of a command may come after the end of its run.
  const isOld = before !== undefined && before.outcome !== 'running';
  if (automation === undefined || isOld) return;
  // A client that saw the start sees the end, also if the run came to nothing.
  const type = isDull(run) && before === undefined ? 'automation.run.dull' : 'automation.run';
  const phase = outcome !== 'running' ? 'finished' : before === undefined ? 'started' : 'waiting';
  events.append({ type, automation, run: id, phase, outcome });
}

function engineAutomations(registry: AutomationRegistry): Omit<EngineAutomations, 'mayReachHub'> {
  return {
    all: () => registry.automations().map(registry.asActive),
    nameOf: (id) => registry.find(id)?.name ?? id,
    opens: registry.opens,
    loadVersion: async (id, version) => {
      const stored = await registry.findVersion(id, version);
      return stored && { id, version, definition: stored.definition };
    },
    suspend: async (id, code) => void (await registry.suspend(id, code)),
    setEnabled: async (id, enabled) => void (await registry.change(id, { enabled })),
    subscribe: registry.subscribe,
  };
}
