/** The version in Debian's notation, in which a pre-release sorts before its release. */
export function debianVersion(version: string): string {
  return version.replace('-', '~');
}

export type ChangelogSources = {
  /** CHANGELOG.md. */
  readonly text: string;
  readonly version: string;
  readonly maintainer: string;
  readonly epochS: number;
};

/** Makes Debian's changelog from the project's; unreleased changes count as those of this version. */
export function createChangelog({ text, version, maintainer, epochS }: ChangelogSources): string {
  const parts = text.split(/^## /m).slice(1);
  const entries = parts.map((part) => {
    const [head = '', ...body] = part.split('\n');
    const [, name = '', day] = /^\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?/.exec(head) ?? [];
    const whenS = day === undefined ? epochS : Date.parse(`${day}T12:00:00Z`) / 1000;
    return { name: name === 'Unreleased' ? version : name, whenS, body };
  });
  const [newest] = entries;
  if (newest?.name !== version) throw new Error(`CHANGELOG.md begins with ${newest?.name}, but this is ${version}`);
  return entries
    .filter(({ name }, index) => index === 0 || name !== version)
    .map(({ name, whenS, body }) => {
      const date = new Date(whenS * 1000).toUTCString().replace('GMT', '+0000');
      const head = `hearthd (${debianVersion(name)}) stable; urgency=medium`;
      return [head, '', ...changes(body), '', ` -- ${maintainer}  ${date}`, ''].join('\n');
    })
    .join('\n');
}

function changes(lines: readonly string[]): string[] {
  return lines.flatMap((line) => {
    const section = /^### (.*)/.exec(line)?.[1];
    if (section !== undefined) return [`  [ ${section} ]`];
    const item = /^- (.*)/.exec(line)?.[1];
    if (item !== undefined) return wrap(item, '  * ');
    return /^ {2}\S/.test(line) ? wrap(line.trim(), '    ') : [];
  });
}

function wrap(text: string, first: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 79) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${last === undefined ? first : '    '}${word}`);
  }
  return lines;
}
