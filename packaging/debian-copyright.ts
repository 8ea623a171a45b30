import type { BundledPackage } from './bundled-package.ts';

export type CopyrightSources = {
  /** The project's own licence. */
  readonly license: string;
  /** The list of common passwords; its head names its author. */
  readonly passwordList: string;
  readonly packages: readonly BundledPackage[];
};

/** `debian/copyright` in its machine-readable form (DEP-5): the authors of all parts, and each licence in full that Debian does not have. */
export function createCopyright({ license, passwordList, packages }: CopyrightSources): string {
  const head = passwordList
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.replace(/^# ?/, ''))
    .join('\n');
  return [
    [
      'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
      'Upstream-Name: hearthd',
      'Comment: Paths are those of the sources. Everything below node_modules is in, or lies',
      ' beside, the modules in /usr/lib/hearthd; sbom.cdx.json has its versions.',
    ].join('\n'),
    stanza({ files: '*', text: license, name: 'Expat' }),
    stanza({ files: 'src/auth/sign-in/common-passwords.txt', text: head, name: 'Expat-zxcvbn-ts' }),
    ...packages.map(({ folder, name, license, licenseText }) =>
      stanza({ files: `${folder}/*`, text: licenseText, name: `${license}-${name.replace(/[@/]/g, '')}` }),
    ),
  ].join('\n\n');
}

type Part = { readonly files: string; readonly text: string; readonly name: string };

function stanza({ files, text, name }: Part): string {
  const holders = text
    .split('\n')
    .map((line) => line.trim().replace(/^[#*"]+\s*/, ''))
    .filter((line) => /^(Portions )?Copyright\b(?! (notice|holder|license))/i.test(line))
    .map((line) => line.replace(/^Copyright( ©| \(c\))?:?\s*/i, '').replace(/\s*All rights reserved\.?$/i, ''));
  return [
    `Files: ${files}`,
    `Copyright: ${[...new Set(holders)].join('\n           ') || 'its authors'}`,
    `License: ${name}`,
    ...textOf(text)
      .split('\n')
      .map((line) => (line.trim() === '' ? ' .' : ` ${line.trimEnd()}`)),
  ].join('\n');
}

/** Debian has this licence once for all packages, and refuses a copy (Debian Policy section 12.5). */
function textOf(text: string): string {
  if (!/Apache License\s+Version 2\.0/.test(text)) return text;
  return 'On Debian systems the whole text of the Apache License, Version 2.0, is in\n/usr/share/common-licenses/Apache-2.0.';
}
