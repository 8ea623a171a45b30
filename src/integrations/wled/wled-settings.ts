import { words } from '#integrations/wled/words/en.ts';

export const WLED_SETTINGS = {
  host: { type: 'host', ...words.settings.host, defaultPort: 80 },
} as const;

export type WledSettings = typeof WLED_SETTINGS;
