import { enAudit } from './en-audit.ts';
import { enSettings } from './en-settings.ts';
import { enUpkeep } from './en-upkeep.ts';

/** The words of the settings: apart from the others, for they come with the settings and not with the first page. */
export const s = { ...enSettings, ...enUpkeep, audit: enAudit };
