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
  device: { load: async () => (await import('#web/pages/device-page.tsx')).DevicePage },
  add: { load: async () => (await import('#web/pages/add-page.tsx')).AddPage, needs: 'device:manage' },
  rooms: { load: async () => (await import('#web/pages/rooms-page.tsx')).RoomsPage },
  room: { load: async () => (await import('#web/pages/room-page.tsx')).RoomPage },
  settings: { load: async () => (await import('#web/pages/settings-page.tsx')).SettingsPage },
  settingsAccount: { load: async () => (await import('#web/pages/account-page.tsx')).AccountPage },
  settingsAppearance: { load: async () => (await import('#web/pages/appearance-page.tsx')).AppearancePage },
  settingsSessions: { load: async () => (await import('#web/pages/sessions-page.tsx')).SessionsPage },
  settingsHub: { load: async () => (await import('#web/pages/hub-page.tsx')).HubPage, needs: 'hub:manage' },
  settingsPeople: { load: async () => (await import('#web/pages/people-page.tsx')).PeoplePage, needs: 'user:manage' },
  settingsPersonAdd: {
    load: async () => (await import('#web/pages/person-add-page.tsx')).PersonAddPage,
    needs: 'user:manage',
  },
  settingsPerson: { load: async () => (await import('#web/pages/person-page.tsx')).PersonPage, needs: 'user:manage' },
  settingsIntegrations: {
    load: async () => (await import('#web/pages/integrations-page.tsx')).IntegrationsPage,
    needs: 'hub:manage',
  },
  settingsIntegration: {
    load: async () => (await import('#web/pages/integration-page.tsx')).IntegrationPage,
    needs: 'hub:manage',
  },
  settingsTokens: { load: async () => (await import('#web/pages/tokens-page.tsx')).TokensPage },
  settingsTokenAdd: { load: async () => (await import('#web/pages/token-add-page.tsx')).TokenAddPage },
  settingsHealth: { load: async () => (await import('#web/pages/health-page.tsx')).HealthPage, needs: 'system:read' },
  settingsBackup: { load: async () => (await import('#web/pages/backup-page.tsx')).BackupPage, needs: 'system:manage' },
  settingsAudit: { load: async () => (await import('#web/pages/audit-page.tsx')).AuditPage, needs: 'system:manage' },
};
