/** What is kept of an ESPHome node. */
export const ESPHOME_SETTINGS = {
  host: { type: 'host', label: 'Address of the node', hint: 'Such as 192.168.1.50.', defaultPort: 6_053 },
  take_rooms: {
    type: 'boolean',
    label: 'Put new devices into the rooms that the node has for them',
    default: true,
  },
  mac: {
    type: 'text',
    label: 'MAC address of the node',
    hint: 'Twelve digits, as the node said them during the set-up.',
    pattern: '[0-9a-f]{12}',
    advanced: true,
  },
  // The key is never sent: it proves which node it is, at whatever address.
  key: {
    type: 'secret',
    label: 'Encryption key',
    hint: 'The key under api: encryption: in the configuration of the node.',
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
