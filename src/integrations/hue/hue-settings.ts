/** What is kept of a bridge. */
export const HUE_SETTINGS = {
  host: { type: 'host', label: 'Address of the bridge', hint: 'Such as 192.168.1.20.', defaultPort: 443 },
  take_rooms: {
    type: 'boolean',
    label: 'Put new devices into the rooms that the bridge has for them',
    default: true,
  },
  fingerprint: {
    type: 'text',
    label: 'Certificate',
    hint: 'SHA-256 fingerprint of the certificate that the bridge showed during the set-up.',
    pattern: '[0-9a-f]{64}',
    advanced: true,
  },
  // The certificate proves which bridge it is, at whatever address.
  key: { type: 'secret', label: 'Key', boundTo: 'fingerprint' },
} as const;

export type HueSettings = typeof HUE_SETTINGS;
