import type { SettingsShape } from '#core/integration/settings-shape.ts';

export const MATTER_SETTINGS = {
  port: {
    type: 'integer',
    label: 'UDP port',
    hint: 'Another one needs SocketBindAllow=udp: with its number in the unit of the service',
    advanced: true,
    min: 1024,
    max: 65_535,
    default: 5541,
  },
} as const satisfies SettingsShape;
export type MatterSettings = typeof MATTER_SETTINGS;
