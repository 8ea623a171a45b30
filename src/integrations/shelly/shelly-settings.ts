/** What is kept of a Shelly device. */
export const SHELLY_SETTINGS = {
  host: { type: 'host', label: 'Address of the device', hint: 'Such as 192.168.1.40.', defaultPort: 80 },
  password: {
    type: 'secret',
    label: 'Password of the device',
    hint: 'Only if one is set on the device itself.',
    boundTo: 'host',
    optional: true,
  },
  sleeps: {
    type: 'boolean',
    label: 'Sleeps and calls the hub',
    hint: 'A device with a battery. Its Outbound WebSocket leads to the hub.',
    advanced: true,
    default: false,
  },
} as const;

export type ShellySettings = typeof SHELLY_SETTINGS;
