import type { ComponentType } from 'preact';
import type { PageName, Params } from './router.ts';

export type PageProps = { readonly params: Params };
type Load = () => Promise<ComponentType<PageProps>>;

/** Pages for those who are signed in. What is not here (login, setup) the app shows by itself when it is its time. */
export const PAGES: Partial<Record<PageName, Load>> = {
  device: async () => (await import('#web/pages/device-page.tsx')).DevicePage,
  settings: async () => (await import('#web/pages/settings-page.tsx')).SettingsPage,
  settingsSessions: async () => (await import('#web/pages/sessions-page.tsx')).SessionsPage,
};
