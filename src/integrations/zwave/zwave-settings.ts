import { words } from '#integrations/zwave/words/en.ts';

export const ZWAVE_SETTINGS = {
  host: { type: 'host', ...words.settings.host, defaultPort: 3_000 },
  take_rooms: {
    type: 'boolean',
    ...words.settings.take_rooms,
    default: true,
  },
} as const;

export type ZwaveSettings = typeof ZWAVE_SETTINGS;

/** The id of a network, as people write it. */
export function networkIdFrom(homeId: number): string {
  return homeId.toString(16).padStart(8, '0');
}
