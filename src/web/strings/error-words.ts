import { hub } from '#web/strings/en/hub/hub.ts';
import { hubTexts } from '#web/strings/en/hub/hub-texts.ts';

type Failure = { readonly code: string; readonly message: string };
type Words = {
  readonly hub: Pick<typeof hub, 'problem'>;
  readonly hubTexts: Pick<typeof hubTexts, 'text' | 'error'>;
};

/** A failure with a code: of an integration, an exporter, a channel. */
export function errorWords(failure: Failure): string {
  return errorWordsIn({ hub, hubTexts }, failure);
}

/** In the words of one language. */
export function errorWordsIn({ hub, hubTexts }: Words, { code, message }: Failure): string {
  const told = hubTexts.text(message);
  if (told !== message) return told;
  const words = hubTexts.error(code) ?? hub.problem(code);
  if (words === undefined) return message;
  const [address] = ADDRESS.exec(message) ?? [];
  return address === undefined ? words : `${words} (${address})`;
}

/** A host with its port, which the hub names where one does not answer. */
const ADDRESS = /(?:\[[\da-f:.%\w]+\]|(?<![\w.-])[\w.-]+):\d{1,5}(?!\d)/i;
