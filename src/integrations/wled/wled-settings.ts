/** What is kept of a WLED light. */
export const WLED_SETTINGS = {
  host: { type: 'host', label: 'Address of the light', hint: 'Such as 192.168.1.30.', defaultPort: 80 },
} as const;

export type WledSettings = typeof WLED_SETTINGS;
