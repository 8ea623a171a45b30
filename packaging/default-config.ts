import { OPTION_KEYS, optionOf, type OptionKey } from '#config/option-table.ts';

/** The configuration file of the package: every option, what it means and, switched off, its default. */
export function createDefaultConfig(): string {
  const sections = new Map<string, OptionKey[]>();
  for (const key of OPTION_KEYS) {
    const section = key.includes('.') ? (key.split('.')[0] ?? '') : '';
    sections.set(section, [...(sections.get(section) ?? []), key]);
  }
  const head = [
    '# Configuration of hearthd: hearthd.toml(5) has the details, hearthd doctor shows what is in force.',
    '# All options with their defaults. After a change: systemctl restart hearthd',
  ].join('\n');
  const parts = [...sections].map(([name, keys]) => [...(name === '' ? [] : [`[${name}]`]), ...keys.map(describe)]);
  return `${[head, ...parts.flat()].join('\n\n')}\n`;
}

function describe(key: OptionKey): string {
  const { meaning, kind } = optionOf(key);
  const name = key.split('.').at(-1) ?? key;
  const value = packagedDefault(key);
  const comment = `# ${meaning}\n# ${kind.allowed.charAt(0).toUpperCase()}${kind.allowed.slice(1)}.`;
  return `${comment}${value === null ? ' Default: none.' : ''}\n#${name} = ${value === null ? '""' : tomlFrom(value)}`;
}

/** The default value of the option for the installed program. */
export function packagedDefault(key: OptionKey): unknown {
  const { installedDefault, default: value } = optionOf(key);
  return installedDefault ?? value ?? null;
}

function tomlFrom(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(tomlFrom).join(', ')}]` : JSON.stringify(value);
}
