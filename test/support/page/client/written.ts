/** Constants of plain data as TypeScript. What is large and stands there several times is a constant of its own. */
export function constantsOf(tables: Readonly<Record<string, unknown>>): string {
  const counts = new Map<string, number>();
  count(tables, counts);
  const names = new Map<string, string>();
  const lines: string[] = [];
  const textOf = (value: unknown): string => {
    const key = JSON.stringify(value);
    if (!isLarge(key) || (counts.get(key) ?? 0) < 2) return literal(value, textOf);
    const known = names.get(key);
    if (known !== undefined) return known;
    const text = literal(value, textOf);
    const name = `SHARED_${names.size + 1}`;
    names.set(key, name);
    lines.push(`const ${name} = ${text} as const;\n`);
    return name;
  };
  for (const [name, table] of Object.entries(tables)) {
    lines.push(`export const ${name} = ${literal(table, textOf, JSON.stringify(table).length > 100)} as const;\n`);
  }
  return lines.join('\n');
}

const isLarge = (json: string): boolean => json.length > 60;

/** How often each part stands there. What stands in a part that was there before is part of that. */
function count(value: unknown, counts: Map<string, number>): void {
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return;
  const key = JSON.stringify(value);
  const times = (counts.get(key) ?? 0) + 1;
  counts.set(key, times);
  if (times > 1 && isLarge(key)) return;
  for (const one of Object.values(value)) count(one, counts);
}

function literal(value: unknown, textOf: (value: unknown) => string, isApart = false): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null || value instanceof RegExp) return String(value);
  const joined = (parts: readonly string[], space: string): string => {
    if (parts.length === 0) return '';
    return isApart ? `\n${parts.map((part) => `  ${part},\n`).join('')}` : `${space}${parts.join(', ')}${space}`;
  };
  if (Array.isArray(value)) return `[${joined(value.map(textOf), '')}]`;
  const members = Object.entries(value).map(([name, one]) => `${nameOf(name)}: ${textOf(one)}`);
  return `{${joined(members, ' ')}}`;
}

function nameOf(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
}
