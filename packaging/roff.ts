/** Escapes text for a line of roff. */
export function roffText(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('~', '\\(ti').replaceAll('^', '\\(ha');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}

export function bold(text: string): string {
  return `\\fB${roffText(text)}\\fR`;
}

export function italic(text: string): string {
  return `\\fI${roffText(text)}\\fR`;
}

/** A term and its description, both already roff. */
export function item(term: string, ...paragraphs: readonly string[]): string {
  return ['.TP', term, paragraphs.join('\n.IP\n')].join('\n');
}

export type Page = {
  readonly name: string;
  readonly section: number;
  readonly summary: string;
  readonly version: string;
  readonly epochS: number;
  /** Heading and body, the body already roff. */
  readonly parts: readonly (readonly [string, string])[];
};

/** A manual page for man(1). */
export function createPage({ name, section, summary, version, epochS, parts }: Page): string {
  const day = new Date(epochS * 1000).toISOString().slice(0, 10);
  return [
    `.TH "${name.toUpperCase()}" "${section}" "${day}" "hearthd ${version}" "hearthd"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `${roffText(name)} \\- ${roffText(summary)}`,
    ...parts.map(([heading, body]) => `.SH ${heading}\n${body}`),
    '',
  ].join('\n');
}
