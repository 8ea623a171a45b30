import type { ComponentType } from 'preact';
import type { PageName, Params } from './router.ts';

export type PageProps = { readonly params: Params };
type Load = () => Promise<ComponentType<PageProps>>;

/** Pages for those who are signed in. What is not here (login, setup) the app shows by itself when it is its time. */
export const PAGES: Partial<Record<PageName, Load>> = {
  device: async () => (await import('#web/pages/device-page.tsx')).DevicePage,
  add: async () => (await import('#web/pages/add-page.tsx')).AddPage,
  rooms: async () => (await import('#web/pages/rooms-page.tsx')).RoomsPage,
  room: async () => (await import('#web/pages/room-page.tsx')).RoomPage,
  settings: async () => (await import('#web/pages/settings-page.tsx')).SettingsPage,
  settingsAccount: async () => (await import('#web/pages/account-page.tsx')).AccountPage,
  settingsSessions: async () => (await import('#web/pages/sessions-page.tsx')).SessionsPage,
  settingsHub: async () => (await import('#web/pages/hub-page.tsx')).HubPage,
  settingsPeople: async () => (await import('#web/pages/people-page.tsx')).PeoplePage,
  settingsPersonAdd: async () => (await import('#web/pages/person-add-page.tsx')).PersonAddPage,
  settingsPerson: async () => (await import('#web/pages/person-page.tsx')).PersonPage,
  settingsIntegrations: async () => (await import('#web/pages/integrations-page.tsx')).IntegrationsPage,
  settingsIntegration: async () => (await import('#web/pages/integration-page.tsx')).IntegrationPage,
  settingsTokens: async () => (await import('#web/pages/tokens-page.tsx')).TokensPage,
  settingsTokenAdd: async () => (await import('#web/pages/token-add-page.tsx')).TokenAddPage,
  settingsHealth: async () => (await import('#web/pages/health-page.tsx')).HealthPage,
  settingsBackup: async () => (await import('#web/pages/backup-page.tsx')).BackupPage,
  settingsAudit: async () => (await import('#web/pages/audit-page.tsx')).AuditPage,
};
