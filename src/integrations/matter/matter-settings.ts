import type { SettingsShape } from '#core/integration/settings-shape.ts';
import { words } from '#integrations/matter/words/en.ts';

export const MATTER_SETTINGS = {
  port: {
    type: 'integer',
    ...words.settings.port,
    advanced: true,
    min: 1024,
    max: 65_535,
    default: 5541,
  },
} as const satisfies SettingsShape;
export type MatterSettings = typeof MATTER_SETTINGS;
