/** What is kept of a Z-Wave JS server. */
export const ZWAVE_SETTINGS = {
  host: { type: 'host', label: 'Address of the server', hint: 'Such as 192.168.1.30:3000.', defaultPort: 3_000 },
  take_rooms: {
    type: 'boolean',
    label: 'Put new devices into the rooms that the server has as their locations',
    default: true,
  },
} as const;

export type ZwaveSettings = typeof ZWAVE_SETTINGS;

/** The id of a network, as people write it. */
export function networkIdFrom(homeId: number): string {
  return homeId.toString(16).padStart(8, '0');
}
