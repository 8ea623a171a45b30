import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { within } from '#web/client/within.ts';
import { t } from '#web/strings/strings.ts';
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
  settingsSetup: async () => (await import('#web/integrations/setup-page.tsx')).SetupPage,
  settingsTokens: async () => (await import('#web/tokens/tokens-page.tsx')).TokensPage,
  settingsTokenAdd: async () => (await import('#web/tokens/token-add-page.tsx')).TokenAddPage,
  settingsNotifications: async () => (await import('#web/notifications/notifications-page.tsx')).NotificationsPage,
  settingsExporters: async () => (await import('#web/exporters/exporters-page.tsx')).ExportersPage,
  settingsExporterAdd: async () => (await import('#web/exporters/exporter-add-page.tsx')).ExporterAddPage,
  settingsHealth: async () => (await import('#web/hub/health-page.tsx')).HealthPage,
  settingsBackup: async () => (await import('#web/hub/backup-page.tsx')).BackupPage,
  settingsAudit: async () => (await import('#web/hub/audit-page.tsx')).AuditPage,
};

const LOAD_MS = 8_000;
const LOOK_MS = 4_000;

type Props = PageProps & { readonly load: Load };
type State = { readonly page: ComponentType<PageProps> } | 'loading' | 'failed';

/** Loads the code of a page when it is first shown. */
export function LoadedPage({ load, params }: Props) {
  const [state, setState] = useState<State>('loading');
  useEffect(() => {
    if (state !== 'loading') return;
    within(LOAD_MS, load).then(
      (page) => setState({ page }),
      () => void isOutdated().then((isOld) => (isOld ? location.reload() : setState('failed'))),
    );
  }, [load, state]);
  if (state === 'loading') return null;
  if (state !== 'failed') return <state.page params={params} />;
  return (
    <div class="page blank" role="alert">
      <p>{t.problem.network}</p>
      <button type="button" class="button" onClick={() => setState('loading')}>
        {t.retry}
      </button>
    </div>
  );
}

/** After an update of the hub the files that this page knows are gone: a reload gets the new ones. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  try {
    return await within(LOOK_MS, async (signal) => {
      const answer = await fetch('/', { cache: 'no-store', signal });
      return answer.ok && !(await answer.text()).includes(own);
    });
  } catch (cause) {
    if (cause instanceof TypeError) return false;
    throw cause;
  }
}
