import type { ComponentType } from 'preact';
import type { Right } from '#web/state/rights.ts';
import type { PageName, Params } from './router.ts';

export type PageProps = { readonly params: Params };
type Entry = {
  readonly load: () => Promise<ComponentType<PageProps>>;
  /** Who has it not is told so in the place of the page. */
  readonly needs?: Right;
};

/** Pages for those who are signed in. What is not here (login, setup) the app shows by itself when it is its time. */
export const PAGES: Partial<Record<PageName, Entry>> = {
  device: { load: async () => (await import('#web/device/device-page.tsx')).DevicePage },
  add: { load: async () => (await import('#web/integrations/add-page.tsx')).AddPage, needs: 'device:manage' },
  rooms: { load: async () => (await import('#web/room/rooms-page.tsx')).RoomsPage },
  room: { load: async () => (await import('#web/room/room-page.tsx')).RoomPage },
  settings: { load: async () => (await import('#web/hub/settings-page.tsx')).SettingsPage },
  settingsAccount: { load: async () => (await import('#web/account/account-page.tsx')).AccountPage },
  settingsAppearance: { load: async () => (await import('#web/hub/appearance-page.tsx')).AppearancePage },
  settingsSessions: { load: async () => (await import('#web/account/sessions-page.tsx')).SessionsPage },
  settingsHub: { load: async () => (await import('#web/hub/hub-page.tsx')).HubPage, needs: 'hub:manage' },
  settingsPeople: { load: async () => (await import('#web/people/people-page.tsx')).PeoplePage, needs: 'user:manage' },
  settingsPersonAdd: {
    load: async () => (await import('#web/people/person-add-page.tsx')).PersonAddPage,
    needs: 'user:manage',
  },
  settingsPerson: { load: async () => (await import('#web/people/person-page.tsx')).PersonPage, needs: 'user:manage' },
  settingsIntegrations: {
    load: async () => (await import('#web/integrations/integrations-page.tsx')).IntegrationsPage,
    needs: 'hub:manage',
  },
  settingsIntegration: {
    load: async () => (await import('#web/integrations/integration-page.tsx')).IntegrationPage,
    needs: 'hub:manage',
  },
  settingsTokens: { load: async () => (await import('#web/tokens/tokens-page.tsx')).TokensPage },
  settingsTokenAdd: { load: async () => (await import('#web/tokens/token-add-page.tsx')).TokenAddPage },
  settingsHealth: { load: async () => (await import('#web/hub/health-page.tsx')).HealthPage, needs: 'system:read' },
  settingsBackup: { load: async () => (await import('#web/hub/backup-page.tsx')).BackupPage, needs: 'system:manage' },
  settingsAudit: { load: async () => (await import('#web/hub/audit-page.tsx')).AuditPage, needs: 'system:manage' },
};
