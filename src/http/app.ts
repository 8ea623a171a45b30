import type { HubError } from '#base/hub-error.ts';
import { apiRootRoutes } from '#http/reference/api-root.ts';
import { apiTokenRoutes } from '#http/api-token/routes.ts';
import { auditRoutes } from '#http/system/audit.ts';
import { backupRoutes } from '#http/system/backup.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { deletionRoutes } from '#http/history/deletion.ts';
import { deviceRoutes } from '#http/device/routes.ts';
import { energyRoutes } from '#http/energy/routes.ts';
import { eventRoutes } from '#http/event/routes.ts';
import { exporterRoutes } from '#http/exporter/routes.ts';
import { featureRoutes } from '#http/device/feature-routes.ts';
import { healthRoutes } from '#http/system/health.ts';
import { historyRoutes } from '#http/history/routes.ts';
import { historySettingsRoutes } from '#http/history/settings.ts';
import { hubRoutes, systemRoutes } from '#http/system/routes.ts';
import { integrationFoundRoutes } from '#http/integration-found/routes.ts';
import { integrationKindRoutes } from '#http/integration-kind/routes.ts';
import { integrationSetupRoutes } from '#http/integration-setup/routes.ts';
import { integrationRoutes } from '#http/integration/routes.ts';
import { meRoutes } from '#http/user/me.ts';
import { metricsRoutes } from '#http/metrics/routes.ts';
import { notificationRoutes } from '#http/notification/routes.ts';
import { notificationSettingsRoutes } from '#http/notification/settings.ts';
import { notificationChannelRoutes } from '#http/notification-channel/routes.ts';
import { openApiRoutes } from '#http/reference/openapi-route.ts';
import { problemsRoutes } from '#http/reference/problems.ts';
import { providerRoutes } from '#http/provider/routes.ts';
import { recordingRoutes } from '#http/history/recording.ts';
import { presenceRoutes } from '#http/presence/routes.ts';
import { modeRoutes } from '#http/mode/routes.ts';
import { variableRoutes } from '#http/variable/routes.ts';
import { roomRoutes } from '#http/room/routes.ts';
import { sceneRoutes } from '#http/scene/routes.ts';
import { sessionRoutes } from '#http/session/routes.ts';
import { userRoutes } from '#http/user/routes.ts';
import { vocabularyRoutes } from '#http/reference/vocabulary.ts';
import { webhookRoutes } from '#http/webhook/routes.ts';
import type { ProblemAnswer } from '#http/answer/problem.ts';
import { problemAnswer } from '#http/answer/problem.ts';
import type { Guard, RequestFacts } from '#http/edge/request-facts.ts';
import { pathOfTarget } from '#http/edge/request-facts.ts';
import type { Route } from '#http/routing/route.ts';
import { createRouter } from '#http/routing/router.ts';
import type { Router, RouterDeps } from '#http/routing/router.ts';

export type AppDeps = RouterDeps & {
  /** In order. */
  readonly guards: readonly Guard[];
  readonly routes: readonly Route[];
};

export type App = Router & {
  /** The refusal of a request before any routing, ready to send; asked before `fetch`. */
  readonly refuse: (facts: RequestFacts) => ProblemAnswer | undefined;
  /** The answer to a failure outside any request that could be read. */
  readonly problem: (error: HubError) => ProblemAnswer;
};

/** The parts of the API, in the order of the OpenAPI document. A new noun is its import and its line here. */
const PARTS = [
  apiRootRoutes,
  healthRoutes,
  sessionRoutes,
  meRoutes,
  userRoutes,
  apiTokenRoutes,
  hubRoutes,
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
  presenceRoutes,
  sceneRoutes,
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
  vocabularyRoutes,
  problemsRoutes,
];

/** What the parts need, in one record: each takes what it names. */
export type ApiDeps = (typeof PARTS)[number] extends (deps: infer Deps) => unknown ? Deps : never;

/** Every call of the API. */
export function apiRoutes(deps: ApiDeps): readonly Route[] {
  // What makes the document is evaluated with the first request for it.
  const createDocument = async (): Promise<object> => {
    const { createOpenApiDocument } = await import('#http/reference/openapi.ts');
    return createOpenApiDocument(routes, deps.version);
  };
  const routes: readonly Route[] = [...PARTS.flatMap((part) => part(deps)), ...openApiRoutes(createDocument)];
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
    problem: (error) => problemAnswer(error, '/', deps.newRequestId()),
  };
}
