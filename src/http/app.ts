import type { HubError } from '#base/hub-error.ts';
import { apiRootRoutes } from '#http/reference/api-root.ts';
import type { ApiRootDeps } from '#http/reference/api-root.ts';
import { apiTokenRoutes } from '#http/api-token/routes.ts';
import type { ApiTokenRoutesDeps } from '#http/api-token/routes.ts';
import { auditRoutes } from '#http/system/audit.ts';
import { backupRoutes } from '#http/system/backup.ts';
import type { BackupRoutesDeps } from '#http/system/backup.ts';
import { commandRoutes } from '#http/command/routes.ts';
import { deviceRoutes } from '#http/device/routes.ts';
import type { DeviceRoutesDeps } from '#http/device/routes.ts';
import { eventRoutes } from '#http/event/routes.ts';
import { featureRoutes, type FeatureRoutesDeps } from '#http/device/feature-routes.ts';
import type { EventRoutesDeps } from '#http/event/routes.ts';
import { healthRoutes } from '#http/system/health.ts';
import type { HealthRoutesDeps } from '#http/system/health.ts';
import { hubRoutes } from '#http/system/hub.ts';
import type { HubRoutesDeps } from '#http/system/hub.ts';
import { integrationRoutes } from '#http/integration/routes.ts';
import type { IntegrationDirectory } from '#http/integration/directory.ts';
import { meRoutes } from '#http/user/me.ts';
import { openApiRoutes } from '#http/reference/openapi-route.ts';
import { problemsRoutes } from '#http/reference/problems.ts';
import { roomRoutes } from '#http/room/routes.ts';
import type { RoomRoutesDeps } from '#http/room/routes.ts';
import { sessionRoutes } from '#http/session/routes.ts';
import type { SessionRoutesDeps } from '#http/session/routes.ts';
import { userRoutes } from '#http/user/routes.ts';
import { systemRoutes } from '#http/system/system.ts';
import type { SystemRoutesDeps } from '#http/system/system.ts';
import { vocabularyRoutes } from '#http/reference/vocabulary.ts';
import { webhookRoutes } from '#http/webhook/routes.ts';
import type { WebhookRoutesDeps } from '#http/webhook/routes.ts';
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
  /** Why a request is refused before any routing, ready to send; looked at before the others. */
  readonly refuse: (facts: RequestFacts) => ProblemAnswer | undefined;
  /** The answer of a failure outside of any request that could be read. */
  readonly problem: (error: HubError) => ProblemAnswer;
};

/** What the routes stand on: flat, so that each takes of it what it names. */
export type ApiDeps = SessionRoutesDeps &
  Parameters<typeof meRoutes>[0] &
  Parameters<typeof auditRoutes>[0] &
  Parameters<typeof userRoutes>[0] &
  ApiTokenRoutesDeps &
  HubRoutesDeps &
  ApiRootDeps &
  HealthRoutesDeps &
  SystemRoutesDeps &
  DeviceRoutesDeps &
  FeatureRoutesDeps &
  RoomRoutesDeps &
  WebhookRoutesDeps &
  EventRoutesDeps & { readonly integrations: IntegrationDirectory; readonly backups: BackupRoutesDeps };

/** Every call there is. */
export function apiRoutes(deps: ApiDeps): readonly Route[] {
  const routes: readonly Route[] = [
    ...apiRootRoutes(deps),
    ...healthRoutes(deps),
    ...sessionRoutes(deps),
    ...meRoutes(deps),
    ...userRoutes(deps),
    ...apiTokenRoutes(deps),
    ...hubRoutes(deps),
    ...systemRoutes(deps),
    ...auditRoutes(deps),
    ...backupRoutes(deps.backups),
    ...deviceRoutes(deps),
    ...commandRoutes(deps),
    ...featureRoutes(deps),
    ...roomRoutes(deps),
    ...eventRoutes(deps),
    ...webhookRoutes(deps),
    ...integrationRoutes(deps.integrations),
    ...vocabularyRoutes(),
    ...problemsRoutes(),
    ...openApiRoutes(() => routes, deps.version),
  ];
  return routes;
}

/** The whole way of a request: each guard in its order, then the routes. */
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
