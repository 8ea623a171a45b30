import { words } from '#integrations/esphome/words/en.ts';

export const ESPHOME_SETTINGS = {
  host: { type: 'host', ...words.settings.host, defaultPort: 6_053 },
  take_rooms: {
    type: 'boolean',
    ...words.settings.take_rooms,
    default: true,
  },
  mac: {
    type: 'text',
    ...words.settings.mac,
    pattern: '[0-9a-f]{12}',
    advanced: true,
  },
  // The key is never sent: it proves which node it is, at whatever address.
  key: {
    type: 'secret',
    ...words.settings.key,
    boundTo: 'mac',
    optional: true,
  },
} as const;

export type EsphomeSettings = typeof ESPHOME_SETTINGS;

const KEY_BYTES = 32;

/** The 32 bytes of a key as people copy it; `undefined` for anything else. */
export function readKey(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(trimmed)) return undefined;
  const bytes = Buffer.from(trimmed, 'base64');
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
