import { words } from './language.ts';

/** What the page shows of the hub's own English. Without an answer, the hub's words are shown. */
export type HubWords = {
  readonly problem: (code: string) => string | undefined;
  readonly fault: (code: string) => string | undefined;
  readonly error: (code: string) => string | undefined;
  /** A word of an enumeration. */
  readonly value: (value: string) => string | undefined;
  /** A sentence that the hub always says in the same words. */
  readonly text: (text: string) => string;
  /** An answer with all such sentences. */
  readonly answer: <Answer>(answer: Answer) => Answer;
  /** A device with the names of its features. */
  readonly device: <Device extends WithFeatures>(device: Device) => Device;
};
export type WithFeatures = { readonly features: readonly { readonly name: string }[] };

const nothing = (): undefined => undefined;
const same = <Value>(value: Value): Value => value;

const en: HubWords = {
  problem: nothing,
  fault: nothing,
  error: nothing,
  value: nothing,
  text: same,
  answer: same,
  device: same,
};

/** The words for what the hub says: its own in English, by their codes in other languages. */
export const hub = words('hub', en) as HubWords;

/** A failure with a code: of an integration, an exporter, a channel. */
export function errorWords({ code, message }: { readonly code: string; readonly message: string }): string {
  const told = hub.text(message);
  return told === message ? (hub.error(code) ?? hub.problem(code) ?? message) : told;
}
