import { enSettings } from './en-settings.ts';

/** The words of the settings: apart from the others, for they come with the settings and not with the first page. */
export const s = enSettings;
