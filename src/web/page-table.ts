import type { ComponentType } from 'preact';
import type { PageName, PageProps } from './router.ts';

type Load = () => Promise<ComponentType<PageProps>>;

/** How each page for people who are signed in is loaded. The app itself shows the login and the setup. */
export const PAGES: Partial<Record<PageName, Load>> = {
  device: async () => (await import('#web/device/device-page.tsx')).DevicePage,
  add: async () => (await import('#web/integrations/add-page.tsx')).AddPage,
  rooms: async () => (await import('#web/room/rooms-page.tsx')).RoomsPage,
  room: async () => (await import('#web/room/room-page.tsx')).RoomPage,
  settings: async () => (await import('#web/hub/settings-page.tsx')).SettingsPage,
  settingsAccount: async () => (await import('#web/account/account-page.tsx')).AccountPage,
  settingsAppearance: async () => (await import('#web/hub/appearance-page.tsx')).AppearancePage,
  settingsSessions: async () => (await import('#web/account/sessions-page.tsx')).SessionsPage,
  settingsHub: async () => (await import('#web/hub/hub-page.tsx')).HubPage,
  settingsPeople: async () => (await import('#web/people/people-page.tsx')).PeoplePage,
  settingsPersonAdd: async () => (await import('#web/people/person-add-page.tsx')).PersonAddPage,
  settingsPerson: async () => (await import('#web/people/person-page.tsx')).PersonPage,
  settingsIntegrations: async () => (await import('#web/integrations/integrations-page.tsx')).IntegrationsPage,
  settingsIntegration: async () => (await import('#web/integrations/integration-page.tsx')).IntegrationPage,
  settingsTokens: async () => (await import('#web/tokens/tokens-page.tsx')).TokensPage,
  settingsTokenAdd: async () => (await import('#web/tokens/token-add-page.tsx')).TokenAddPage,
  settingsHealth: async () => (await import('#web/hub/health-page.tsx')).HealthPage,
  settingsBackup: async () => (await import('#web/hub/backup-page.tsx')).BackupPage,
  settingsAudit: async () => (await import('#web/hub/audit-page.tsx')).AuditPage,
};
