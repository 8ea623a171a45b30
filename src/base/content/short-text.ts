/** At most so many UTF-16 units, with `…` at the end of a text that was cut, and no half of a character. */
export function shortText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
