import type { HubTexts } from '#web/strings/language/hub-words.ts';

/** The hub speaks English itself. */
export const hubTexts: HubTexts = { error: () => undefined, text: (text) => text };
