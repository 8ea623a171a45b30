import type { Accounts } from '#auth/accounts.ts';
import type { Sessions } from '#auth/sessions.ts';
import type { SignIn } from '#auth/sign-in.ts';
import type { Route } from './route.ts';
import { accessTokenRoutes } from '#http/routes/access-token.ts';
import { type ApiRootDeps, apiRootRoutes } from '#http/routes/api-root.ts';
import { type BackupRoutesDeps, backupRoutes } from '#http/routes/backup.ts';
import { type DeviceRoutesDeps, deviceRoutes } from '#http/routes/device.ts';
import { type HealthRoutesDeps, healthRoutes } from '#http/routes/health.ts';
import { type HubRoutesDeps, hubRoutes } from '#http/routes/hub.ts';
import { type IntegrationDirectory, integrationRoutes } from '#http/routes/integration.ts';
import { loginRoutes } from '#http/routes/login.ts';
import { logoutRoutes } from '#http/routes/logout.ts';
import { meRoutes } from '#http/routes/me.ts';
import { problemsRoutes } from '#http/routes/problems.ts';
import { type RoomRoutesDeps, roomRoutes } from '#http/routes/room.ts';
import { sessionRoutes } from '#http/routes/session.ts';
import { setupRoutes } from '#http/routes/setup.ts';
import { vocabularyRoutes } from '#http/routes/vocabulary.ts';

export type ApiDeps = ApiRootDeps &
  HubRoutesDeps &
  DeviceRoutesDeps &
  RoomRoutesDeps & {
    readonly signIn: SignIn;
    readonly sessions: Sessions;
    readonly accounts: Accounts;
    readonly health: HealthRoutesDeps;
    readonly integrations: IntegrationDirectory;
    readonly backups: BackupRoutesDeps;
  };

/** The whole API, a line for each noun. */
export function apiRoutes(deps: ApiDeps): readonly Route[] {
  return [
    ...apiRootRoutes(deps),
    ...problemsRoutes(),
    ...setupRoutes(deps),
    ...loginRoutes(deps),
    ...accessTokenRoutes(deps),
    ...logoutRoutes(deps),
    ...sessionRoutes(deps),
    ...meRoutes(deps),
    ...hubRoutes(deps),
    ...healthRoutes(deps.health),
    ...backupRoutes(deps.backups),
    ...vocabularyRoutes(),
    ...deviceRoutes(deps),
    ...roomRoutes(deps),
    ...integrationRoutes(deps.integrations),
  ];
}
