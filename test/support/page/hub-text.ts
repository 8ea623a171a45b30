import type { HubText } from '#web/client/api.ts';

/** An English text as the hub sends it. */
export const hubText = (text: string): HubText => text as unknown as HubText;
