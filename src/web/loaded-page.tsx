import type { ComponentType } from 'preact';
import energyStyle from '#web/energy/energy.loaded.css';
import historyStyle from '#web/history/history.loaded.css';
import { Loaded, loadStyle } from '#web/parts/loaded.tsx';
import ruleStyle from '#web/rule/rule.loaded.css';
import type { PageName, PageProps } from './router.ts';

type Load = () => Promise<ComponentType<PageProps>>;

/** How each page for people who are signed in is loaded. The app itself shows the login and the setup. */
export const PAGES: Partial<Record<PageName, Load>> = {
  device: async () => (await import('#web/device/device-page.tsx')).DevicePage,
  add: async () => (await import('#web/integrations/add-page.tsx')).AddPage,
  rooms: async () => (await import('#web/room/rooms-page.tsx')).RoomsPage,
  room: async () => (await import('#web/room/room-page.tsx')).RoomPage,
  history: async () => (await withHistoryStyle(import('#web/history/page/history-page.tsx'))).HistoryPage,
  historyLog: async () => (await withHistoryStyle(import('#web/history/page/log-page.tsx'))).LogPage,
  energy: async () => {
    const [{ EnergyPage }] = await Promise.all([
      import('#web/energy/energy-page.tsx'),
      loadStyle(historyStyle),
      loadStyle(energyStyle),
    ]);
    return EnergyPage;
  },
  scenes: async () => (await import('#web/scene/scenes-page.tsx')).ScenesPage,
  scene: async () => (await import('#web/scene/scene-page.tsx')).ScenePage,
  rules: async () => (await withRuleStyle(import('#web/rule/rules-page.tsx'))).RulesPage,
  ruleNew: async () => (await withRuleStyle(import('#web/rule/rule-page.tsx'))).NewRulePage,
  ruleImport: async () => (await withRuleStyle(import('#web/rule/transfer/import-page.tsx'))).ImportPage,
  ruleTemplates: async () => (await withRuleStyle(import('#web/rule/template/template-list.tsx'))).TemplatesPage,
  ruleTemplate: async () => (await withRuleStyle(import('#web/rule/template/template-page.tsx'))).TemplatePage,
  rule: async () => (await withRuleStyle(import('#web/rule/rule-page.tsx'))).RulePage,
  ruleRun: async () => (await withRuleStyle(import('#web/rule/past/run-page.tsx'))).RunPage,
  welcome: async () => (await import('#web/welcome/welcome-page.tsx')).WelcomePage,
  settings: async () => (await import('#web/hub/settings-page.tsx')).SettingsPage,
  settingsAccount: async () => (await import('#web/account/account-page.tsx')).AccountPage,
  settingsAppearance: async () => (await import('#web/hub/appearance-page.tsx')).AppearancePage,
  settingsSessions: async () => (await import('#web/account/sessions-page.tsx')).SessionsPage,
  settingsHub: async () => (await import('#web/hub/hub-page.tsx')).HubPage,
  settingsGroups: async () => (await import('#web/group/groups-page.tsx')).GroupsPage,
  settingsRooms: async () => (await import('#web/room/arrange-page.tsx')).ArrangePage,
  settingsPlace: async () => (await import('#web/place/place-page.tsx')).PlacePage,
  settingsModes: async () => (await import('#web/house/modes-page.tsx')).ModesPage,
  settingsPeople: async () => (await import('#web/people/people-page.tsx')).PeoplePage,
  settingsPersonAdd: async () => (await import('#web/people/person-add-page.tsx')).PersonAddPage,
  settingsPerson: async () => (await import('#web/people/person-page.tsx')).PersonPage,
  settingsIntegrations: async () => (await import('#web/integrations/integrations-page.tsx')).IntegrationsPage,
  settingsIntegration: async () => (await import('#web/integrations/integration-page.tsx')).IntegrationPage,
  settingsSetup: async () => (await import('#web/integrations/setup-page.tsx')).SetupPage,
  settingsTokens: async () => (await import('#web/tokens/tokens-page.tsx')).TokensPage,
  settingsWalls: async () => (await import('#web/tokens/walls-page.tsx')).WallsPage,
  wallAllow: async () => (await import('#web/tokens/wall-allow-page.tsx')).WallAllowPage,
  settingsTokenAdd: async () => (await import('#web/tokens/token-add-page.tsx')).TokenAddPage,
  settingsEnergy: async () => {
    const [{ EnergySettingsPage }] = await Promise.all([
      import('#web/energy/settings/settings-page.tsx'),
      loadStyle(energyStyle),
    ]);
    return EnergySettingsPage;
  },
  settingsNotifications: async () => (await import('#web/notifications/notifications-page.tsx')).NotificationsPage,
  settingsExporters: async () => (await import('#web/exporters/exporters-page.tsx')).ExportersPage,
  settingsExporter: async () => (await import('#web/exporters/exporter-page.tsx')).ExporterPage,
  settingsExporterAdd: async () => (await import('#web/exporters/exporter-page.tsx')).ExporterAddPage,
  settingsHistory: async () => (await import('#web/hub/history-settings-page.tsx')).HistorySettingsPage,
  settingsHealth: async () => (await import('#web/hub/health-page.tsx')).HealthPage,
  settingsBackup: async () => (await import('#web/hub/backup-page.tsx')).BackupPage,
  settingsAudit: async () => (await import('#web/hub/audit-page.tsx')).AuditPage,
};

/** Waits for the style too. */
async function withHistoryStyle<Part>(loading: Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([loading, loadStyle(historyStyle)]);
  return part;
}

async function withRuleStyle<Part>(loading: Promise<Part>): Promise<Part> {
  const [part] = await Promise.all([loading, loadStyle(ruleStyle)]);
  return part;
}

type Props = PageProps & { readonly load: Load };

/** Loads the code of a page when it is first shown. */
export function LoadedPage({ load, params }: Props) {
  return (
    <Loaded load={load} class="page blank">
      {(Page) => <Page params={params} />}
    </Loaded>
  );
}
