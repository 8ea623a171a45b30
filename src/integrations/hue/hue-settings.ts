import { words } from '#integrations/hue/words/en.ts';

export const HUE_SETTINGS = {
  host: { type: 'host', ...words.settings.host, defaultPort: 443 },
  take_rooms: {
    type: 'boolean',
    ...words.settings.take_rooms,
    default: true,
  },
  fingerprint: {
    type: 'text',
    ...words.settings.fingerprint,
    pattern: '[0-9a-f]{64}',
    advanced: true,
  },
  // The certificate proves which bridge it is, at whatever address.
  key: { type: 'secret', ...words.settings.key, boundTo: 'fingerprint' },
} as const;

export type HueSettings = typeof HUE_SETTINGS;
