import type { HubError } from '#base/hub-error.ts';
import type { UpgradeRequest } from '#base/network/lan-ports.ts';
import { apiRootRoutes } from '#http/reference/api-root.ts';
import { apiTokenRoutes } from '#http/api-token/routes.ts';
import { auditRoutes } from '#http/system/audit.ts';
import { replaceRoutes } from '#http/automation/replace/routes.ts';
import { automationRoutes } from '#http/automation/routes.ts';
import { causeRoutes } from '#http/automation-run/cause-routes.ts';
import { automationHookRoutes } from '#http/automation/hook/routes.ts';
import { automationRunRoutes } from '#http/automation-run/routes.ts';
import { automationStartRoutes } from '#http/automation/start/routes.ts';
import { automationTransferRoutes } from '#http/automation/transfer/routes.ts';
import { automationTemplateRoutes } from '#http/automation-template/routes.ts';
import { backupRoutes } from '#http/system/backup.ts';
import { calendarRoutes } from '#http/calendar/routes.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { type DeviceSockets, deviceSocketRoutes, takeDeviceSocket } from '#http/device-socket/routes.ts';
import { deletionRoutes } from '#http/history/deletion.ts';
import { deviceRoutes } from '#http/device/routes.ts';
import { energyRoutes } from '#http/energy/routes.ts';
import { eventRoutes } from '#http/event/routes.ts';
import { exporterRoutes } from '#http/exporter/routes.ts';
import { featureRoutes } from '#http/feature/routes.ts';
import { healthRoutes } from '#http/system/health.ts';
import { historyRoutes } from '#http/history/routes.ts';
import { historySettingsRoutes } from '#http/history/settings.ts';
import { hubRoutes, systemRoutes } from '#http/system/routes.ts';
import { integrationFoundRoutes } from '#http/integration-found/routes.ts';
import { integrationKindRoutes } from '#http/integration-kind/routes.ts';
import { integrationSetupRoutes } from '#http/integration-setup/routes.ts';
import { integrationRoutes } from '#http/integration/routes.ts';
import { homeViewRoutes } from '#http/user/home-view.ts';
import { meRoutes } from '#http/user/me.ts';
import { metricsRoutes } from '#http/metrics/routes.ts';
import { tagsOf } from '#http/note/note.ts';
import { notificationRoutes } from '#http/notification/routes.ts';
import { notificationSettingsRoutes } from '#http/notification/settings.ts';
import { notificationChannelRoutes } from '#http/notification-channel/routes.ts';
import { type CreateDocument, openApiRoutes } from '#http/reference/openapi-route.ts';
import { problemsRoutes } from '#http/reference/problems.ts';
import { providerRoutes } from '#http/provider/routes.ts';
import { recordingRoutes } from '#http/history/recording.ts';
import { placeRoutes } from '#http/place/routes.ts';
import { presenceRoutes } from '#http/presence/routes.ts';
import { modeRoutes } from '#http/mode/routes.ts';
import { variableRoutes } from '#http/variable/routes.ts';
import { roomRoutes } from '#http/room/routes.ts';
import { findRoutes } from '#http/find/routes.ts';
import { groupRoutes } from '#http/group/routes.ts';
import { sceneRoutes } from '#http/scene/routes.ts';
import { simulationRoutes } from '#http/simulation/routes.ts';
import { sessionRoutes } from '#http/session/routes.ts';
import { userRoutes } from '#http/user/routes.ts';
import { wallRequestRoutes } from '#http/wall-request/routes.ts';
import { vocabularyRoutes } from '#http/reference/vocabulary.ts';
import { webhookRoutes } from '#http/webhook/routes.ts';
import type { ProblemAnswer } from '#http/answer/problem.ts';
import { problemAnswer } from '#http/answer/problem.ts';
import type { Guard, RequestFacts } from '#http/edge/request-facts.ts';
import { pathOfTarget } from '#http/edge/request-facts.ts';
import type { Route } from '#http/routing/route.ts';
import { createRouter } from '#http/routing/router.ts';
import type { Router, RouterDeps } from '#http/routing/router.ts';

export type AppDeps = RouterDeps &
  DeviceSockets & {
    /** In order. */
    readonly guards: readonly Guard[];
    readonly routes: readonly Route[];
  };

export type App = Router & {
  /** The refusal of a request before any routing, ready to send; asked before `fetch`. */
  readonly refuse: (facts: RequestFacts) => ProblemAnswer | undefined;
  readonly isSocketPath: (path: string) => boolean;
  /** Takes a request to speak WebSocket that the guards let through, or says why not, ready to send. */
  readonly takeSocket: (facts: RequestFacts, upgrade: UpgradeRequest) => ProblemAnswer | undefined;
  /** The answer to a failure outside any request that could be read. */
  readonly problem: (error: HubError) => ProblemAnswer;
};

/** The parts of the API, in the order of the OpenAPI document. A new noun is its import and its line here. */
const PARTS = [
  apiRootRoutes,
  healthRoutes,
  sessionRoutes,
  meRoutes,
  homeViewRoutes,
  userRoutes,
  apiTokenRoutes,
  wallRequestRoutes,
  hubRoutes,
  placeRoutes,
  systemRoutes,
  auditRoutes,
  backupRoutes,
  deviceRoutes,
  commandRoutes,
  featureRoutes,
  historyRoutes,
  recordingRoutes,
  energyRoutes,
  deletionRoutes,
  historySettingsRoutes,
  metricsRoutes,
  roomRoutes,
  modeRoutes,
  variableRoutes,
  calendarRoutes,
  presenceRoutes,
  groupRoutes,
  sceneRoutes,
  simulationRoutes,
  automationTransferRoutes,
  automationRoutes,
  replaceRoutes,
  automationRunRoutes,
  causeRoutes,
  automationStartRoutes,
  automationHookRoutes,
  automationTemplateRoutes,
  eventRoutes,
  webhookRoutes,
  notificationRoutes,
  notificationSettingsRoutes,
  notificationChannelRoutes,
  exporterRoutes,
  integrationRoutes,
  integrationKindRoutes,
  integrationFoundRoutes,
  integrationSetupRoutes,
  providerRoutes,
  deviceSocketRoutes,
  findRoutes,
  vocabularyRoutes,
  problemsRoutes,
];

/** All parts take what they need from one record, each what it names. */
type ApiDeps = (typeof PARTS)[number] extends (deps: infer Deps) => unknown ? Deps : never;

/** Every call of the API. */
export function apiRoutes(deps: ApiDeps): readonly Route[] {
  // What makes the document is evaluated with the first request for it.
  const createDocument: CreateDocument = async () => {
    const { createOpenApiDocument } = await import('#http/reference/openapi.ts');
    return createOpenApiDocument(routes, deps.version);
  };
  const nouns = PARTS.flatMap((part) => part(deps));
  const tags = tagsOf(nouns).map(({ name }) => name);
  const routes: readonly Route[] = [...nouns, ...openApiRoutes(createDocument, tags)];
  return routes;
}

/** The whole way of a request: the guards in their order, then the routes. */
export function createApp(deps: AppDeps): App {
  const router = createRouter(deps, deps.routes);
  return {
    ...router,
    refuse: (facts) => {
      for (const guard of deps.guards) {
        const error = guard(facts);
        if (error === undefined) continue;
        const answer = problemAnswer(error, pathOfTarget(facts.target), deps.newRequestId());
        return { ...answer, headers: { ...answer.headers, ...deps.cors.answerHeaders(facts) } };
      }
      return undefined;
    },
    isSocketPath: (path) => deps.deviceSockets.some((socket) => socket.path === path),
    takeSocket: (facts, upgrade) => {
      const error = takeDeviceSocket(deps, facts, upgrade);
      return error && problemAnswer(error, pathOfTarget(facts.target), deps.newRequestId());
    },
    problem: (error) => problemAnswer(error, '/', deps.newRequestId()),
  };
}
