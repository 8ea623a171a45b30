import { openHomeViews } from '#core/home-view/home-view.ts';
import { createAnswers, createHistory } from '#test/core/past/history/sampled-history.ts';
import { createImportTurn } from '#core/past/archive/archive-import.ts';
import { USUAL_HISTORY } from '#core/past/history/history-settings.ts';
import { openMemoryRecording } from '#test/core/past/history/memory-recordings.ts';
import { openEnergy } from '#core/energy/energy.ts';
import { openHooks } from '#core/automation/hook/hooks.ts';
import { createSimulations } from '#core/automation-replay/simulations.ts';
import { usedSeries } from '#core/automation-replay/recorded/used-series.ts';
import { BUILT_IN_KINDS, type BuiltInKind } from '#core/notification/notification.ts';
import { createEnergyDisk } from '#test/core/energy/energy-disk.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import { systemClock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createCommandService } from '#core/command/command-service.ts';
import type { Route } from '#http/routing/route.ts';
import type { App } from '#http/app.ts';
import { KINDS } from '#integrations/table.ts';
import { apiRoutes } from '#http/app.ts';
import { type AuthHarness, openAuth, OWNER, PEER } from './auth-harness.ts';
import { createTestApp } from './http-app.ts';
import { openTestExporters } from '#test/exporters/exporter-home.ts';
import { openTestHome, type TestHome } from './http-home.ts';
import { openNoAutomations } from '#test/support/automation/no-automations.ts';
import { openTestRuns } from '#test/support/automation/test-runs.ts';
import { openModeHome, openTestPresence } from '#test/core/mode/mode-home.ts';
import { createRecordingLog } from './recording-log.ts';
import { createTestProviders, type TestProviders } from '#test/support/peers/test-providers.ts';
import { openTestPlace } from '#test/core/place/place-home.ts';
import { openTestNotifications, type TestNotifications } from '#test/core/notification/notification-home.ts';
import { openTestTemplates } from '#test/core/automation-template/template-home.ts';
import { openTestWebhooks } from './webhook-home.ts';

export type HubApp = {
  app: App;
  routes: readonly Route[];
  accessToken: string;
  logged: string[];
  auth: AuthHarness;
  home: TestHome;
  providers: TestProviders;
  notifications: TestNotifications;
};

const NO_HOME = { devices: [], findScene: () => undefined, people: [], modes: [], variables: [] };
const BUILT_IN_SWITCHES = Object.fromEntries(BUILT_IN_KINDS.map((kind) => [kind, true])) as Record<BuiltInKind, true>;
const refuse = (): never => {
  throw new HubError('NOT_FOUND', 'It is not there.');
};

/** All routes, over the real accounts and registries of a claimed hub with these lights and one room. */
export async function openHubApp(names: readonly string[] = ['Lamp']): Promise<HubApp> {
  const auth = await openAuth();
  const home = await openTestHome(names);
  await home.rooms.addRoom('Kitchen');
  const request = { ...OWNER, claimCode: auth.claim.code() ?? '', clientName: null, rotating: false, hubName: null };
  const claimed = await auth.signIn.setUp(request, PEER);
  const providers = createTestProviders({ registry: home.registry, commands: () => commands });
  const commands = createCommandService({
    registry: home.registry,
    findWay: (id) => providers.wayOf(id) ?? { isUp: () => true, send: async () => 'device_ack' },
    sentValues: home.sentValues,
    emit: home.events.append,
    newId: randomUUID,
    clock: systemClock,
    startTimer: startSystemTimer,
    log: createRecordingLog().log,
  });
  const { modes, variables } = await openModeHome();
  const hub = { id: '0198f1c2-0000-7000-8000-000000000001', name: 'Home' };
  const isClaimed = auth.accounts.hasOwner;
  const notifications = await openTestNotifications({ emit: home.events.append });
  const automations = await openNoAutomations(home);
  const deviceSockets = KINDS.flatMap(({ id, calls }) =>
    calls === undefined ? [] : [{ ...calls, path: `/api/v1/${id}/socket`, admit: refuse, open: refuse }],
  );
  const routes = apiRoutes({
    ...auth,
    ...home,
    commands,
    isClaimed,
    version: '0.1.0',
    hub: () => hub,
    history: createHistory([]),
    importTurn: createImportTurn(),
    house: { modes: modes.modes, variables: variables.variables, presences: () => [] },
    answerHistory: createAnswers(createHistory([])),
    recording: await openMemoryRecording(),
    historySettings: {
      present: () => USUAL_HISTORY,
      update: async () => USUAL_HISTORY,
      findOld: async () => [],
      readUsage: async () => ({ months: [], bytes: 0 }),
    },
    deletion: { deleteHistory: async () => 0 },
    timeZone: () => createTimeZone('UTC'),
    energy: await openEnergy({
      store: createEnergyDisk().store,
      meta: createEnergyDisk().meta,
      settleSamples: async () => true,
      history: createHistory([]),
      timeZone: () => createTimeZone('UTC'),
      hubClock: {
        nowMs: systemClock.wallMs,
        isSynced: () => true,
        toldForMs: () => null,
        epoch: () => 'e1',
        learnedShiftMs: () => null,
      },
      log: createRecordingLog().log,
    }),
    nowMs: systemClock.wallMs,
    isClockSet: () => true,
    modes,
    variables,
    automations,
    hooks: await openHooks({
      store: {
        loadHookSecrets: async () => [],
        saveHookSecret: async () => undefined,
        deleteHookSecret: async () => undefined,
      },
      automations,
      mayLetCall: () => true,
      random: randomBytes,
      monotonicMs: systemClock.monotonicMs,
    }),
    resumeAutomations: refuse,
    automationEngine: {
      run: async () => ({ run: 'a run' }),
      callHook: async () => ({ run: 'a run' }),
      stop: async () => undefined,
      reset: async () => undefined,
      statusOf: () => ({ tripped: null, nextAtMs: null, running: 0 }),
    },
    tryStart: async () => undefined,
    saveReplaced: async () => undefined,
    nextFirings: async () => ({ firings: [], waitsFor: 'none' }),
    ...(await openTestRuns()),
    ...(await openTestPlace()),
    sunOfDay: async () => undefined,
    templates: await openTestTemplates(),
    presence: await openTestPresence({ ...auth.accounts, ...home.registry }),
    hubIdentity: {
      identity: () => hub,
      timeZone: () => createTimeZone('UTC'),
      language: () => null,
      update: async () => undefined,
    },
    hubVitals: () => ({
      version: '0.1.0',
      uptimeS: 1,
      memoryBytes: 1,
      eventClients: 0,
      devices: 1,
      integrations: [],
      bytesWritten: null,
    }),
    healthStatus: () => 'ok',
    healthDetails: () => ({}),
    systemInfo: async () => ({}),
    findRoom: home.rooms.findRoom,
    eventCursor: home.events.cursor,
    removeDevice: (device) => home.registry.removeDevice(device.id),
    ...systemClock,
    startTimer: startSystemTimer,
    providers,
    backups: {
      startTimer: startSystemTimer,
      monotonicMs: systemClock.monotonicMs,
      list: async () => [],
      make: async () => ({ id: '20261121T040622Z-manual', kind: 'manual', createdAtMs: 0, bytes: 0 }),
      look: async () => undefined,
      open: async () => undefined,
      restore: async () => undefined,
    },
    notifications,
    builtIns: { switches: () => BUILT_IN_SWITCHES, change: async () => BUILT_IN_SWITCHES },
    channels: { channels: () => [], find: () => undefined, add: refuse, update: refuse, remove: refuse, test: refuse },
    isBroker: () => false,
    deviceSockets,
    homeViews: await openHomeViews({ loadHomeViews: async () => new Map(), saveHomeView: async () => undefined }),
    quietHours: { of: () => null, set: async () => undefined },
    webhooks: await openTestWebhooks(home.events),
    exporters: await openTestExporters(),
    isLanAddress: () => true,
    isOwnAddress: () => false,
    integrations: {
      list: () => [],
      find: () => undefined,
      stateOf: () => ({
        status: { state: 'off', sinceMs: 0, error: null },
        devices: 0,
        canPair: false,
        pairsByCode: false,
        report: null,
      }),
      add: refuse,
      change: refuse,
      check: refuse,
      remove: refuse,
      findPairing: () => undefined,
      removeFabric: refuse,
      isInSafeMode: () => false,
      endSafeMode: refuse,
    },
    integrationKinds: () => [],
    integrationsFound: { things: () => [], ignore: async () => undefined, restore: async () => undefined },
    integrationSetups: { start: refuse, findSetup: () => undefined, answer: refuse, end: refuse },
    wallMs: systemClock.wallMs,
    simulations: createSimulations({
      usedBy: (definitions) => usedSeries(definitions, NO_HOME),
      simulate: async () => refuse(),
      newId: randomUUID,
      startTimer: startSystemTimer,
      log: createRecordingLog().log,
    }),
  });
  const { app, logged } = createTestApp(routes, { authenticate: auth.authenticate, isClaimed, deviceSockets });
  return { app, routes, logged, accessToken: claimed.accessToken, auth, home, providers, notifications };
}
