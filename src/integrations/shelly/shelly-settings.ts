import { words } from '#integrations/shelly/words/en.ts';

export const SHELLY_SETTINGS = {
  host: { type: 'host', ...words.settings.host, defaultPort: 80 },
  password: {
    type: 'secret',
    ...words.settings.password,
    boundTo: 'host',
    optional: true,
  },
  sleeps: {
    type: 'boolean',
    ...words.settings.sleeps,
    advanced: true,
    default: false,
  },
} as const;

export type ShellySettings = typeof SHELLY_SETTINGS;
