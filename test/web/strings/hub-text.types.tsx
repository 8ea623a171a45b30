import type { HubText } from '#web/client/api.ts';
import { inEnglish } from '#web/strings/hub-text.ts';

declare const said: HubText;
const takesText = (text: string): string => text;

/** `tsc -p src/web` reads this: it fails where a text of the hub would get into the page without words. */
export const refused = [
  // @ts-expect-error a text of the hub is no element
  <p>{said}</p>,
  // @ts-expect-error nor an attribute of one
  <p title={said} />,
  // @ts-expect-error nor part of a template
  // oxlint-disable-next-line typescript/restrict-template-expressions
  `Lamp: ${said}`,
  // @ts-expect-error nor something to put after another text
  'Lamp: ' + said,
  // @ts-expect-error nor what stands for one that is absent
  takesText(said ?? ''),
  // @ts-expect-error nor one of a list
  [said].map(takesText),
  // @ts-expect-error and it is not cast to a string
  said as string,
];

export const taken = [takesText(inEnglish(said)), <p key="said">{inEnglish(said)}</p>];
