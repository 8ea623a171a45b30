import { audit } from './audit.ts';
import { exporters } from './exporters.ts';
import { hubSettings } from './hub-settings.ts';
import { integrations } from './integrations.ts';
import { upkeep } from './upkeep.ts';

/** The words of the settings. */
export const settings = { ...hubSettings, ...integrations, ...upkeep, audit, exporters };
