import type { HubError } from '#base/hub-error.ts';
import { accessTokenRoutes } from '#http/routes/access-token.ts';
import { apiRootRoutes } from '#http/routes/api-root.ts';
import type { ApiRootDeps } from '#http/routes/api-root.ts';
import { apiTokenRoutes } from '#http/routes/api-token.ts';
import type { ApiTokenRoutesDeps } from '#http/routes/api-token.ts';
import { auditRoutes } from '#http/routes/audit.ts';
import { backupRoutes } from '#http/routes/backup.ts';
import type { BackupRoutesDeps } from '#http/routes/backup.ts';
import { commandRoutes } from '#http/routes/command.ts';
import { deviceRoutes } from '#http/routes/device.ts';
import type { DeviceRoutesDeps } from '#http/routes/device.ts';
import { eventRoutes } from '#http/routes/event.ts';
import { featureRoutes, type FeatureRoutesDeps } from '#http/routes/feature.ts';
import type { EventRoutesDeps } from '#http/routes/event.ts';
import { healthRoutes } from '#http/routes/health.ts';
import type { HealthRoutesDeps } from '#http/routes/health.ts';
import { hubRoutes } from '#http/routes/hub.ts';
import type { HubRoutesDeps } from '#http/routes/hub.ts';
import { integrationRoutes } from '#http/routes/integration.ts';
import type { IntegrationDirectory } from '#http/routes/integration.ts';
import { loginRoutes } from '#http/routes/login.ts';
import { logoutRoutes } from '#http/routes/logout.ts';
import { meRoutes } from '#http/routes/me.ts';
import { openApiRoutes } from '#http/routes/openapi.ts';
import { problemsRoutes } from '#http/routes/problems.ts';
import { roomRoutes } from '#http/routes/room.ts';
import type { RoomRoutesDeps } from '#http/routes/room.ts';
import { sessionRoutes } from '#http/routes/session.ts';
import { setupRoutes } from '#http/routes/setup.ts';
import { userRoutes } from '#http/routes/user.ts';
import { systemRoutes } from '#http/routes/system.ts';
import type { SystemRoutesDeps } from '#http/routes/system.ts';
import { vocabularyRoutes } from '#http/routes/vocabulary.ts';
import { webhookRoutes } from '#http/routes/webhook.ts';
import type { WebhookRoutesDeps } from '#http/routes/webhook.ts';
import { refuseMalformed } from '#http/guards/malformed-guard.ts';
import type { ProblemAnswer } from './problem.ts';
import { problemAnswer } from './problem.ts';
import type { Guard, RequestFacts } from './request-facts.ts';
import { pathOfTarget } from './request-facts.ts';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';
import type { Router, RouterDeps } from './router.ts';

export type AppDeps = RouterDeps & {
  /** What the network allows, in order: peer, host, forwarded fields, origin. */
  readonly networkGuards: readonly Guard[];
  readonly routes: readonly Route[];
};

export type App = Router & {
  /** Why a request is refused before any routing, ready to send; looked at before the others. */
  readonly refuse: (facts: RequestFacts) => ProblemAnswer | undefined;
  /** The answer of a failure outside of any request that could be read. */
  readonly problem: (error: HubError) => ProblemAnswer;
};

/** What the routes stand on: flat, so that each takes of it what it names. */
export type ApiDeps = Parameters<typeof setupRoutes>[0] &
  Parameters<typeof loginRoutes>[0] &
  Parameters<typeof accessTokenRoutes>[0] &
  Parameters<typeof logoutRoutes>[0] &
  Parameters<typeof sessionRoutes>[0] &
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
    ...setupRoutes(deps),
    ...loginRoutes(deps),
    ...accessTokenRoutes(deps),
    ...logoutRoutes(deps),
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
  const guards: readonly Guard[] = [...deps.networkGuards, refuseMalformed];
  const router = createRouter(deps, deps.routes);
  return {
    ...router,
    refuse: (facts) => {
      for (const guard of guards) {
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
