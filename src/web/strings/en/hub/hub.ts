import type { HubWords } from '#web/strings/language/hub-words.ts';

const nothing = (): undefined => undefined;

/** The hub speaks English itself. */
export const hub: HubWords = { problem: nothing, fault: nothing, value: nothing, device: (device) => device };
