/** Samples of one name, as the text format 0.0.4 of Prometheus groups them. */
export type MetricFamily = {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
};

export type Labels = Readonly<Record<string, string | null>>;

/** The text of one family, as it grows. */
export type FamilyText = ReturnType<typeof createFamilyText>;

/** Text becomes bytes in parts of about this size: all of it at once would hold up other calls. */
const CHUNK_CHARACTERS = 16 * 1024;

export function createFamilyText({ name, type, help }: MetricFamily) {
  const chunks: Buffer[] = [];
  let text = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  let lines = 2;
  const flush = (): void => {
    chunks.push(Buffer.from(text));
    text = '';
  };
  return {
    /** With labels in the form of `labelText`. Numbers are finite. */
    add: (labels: string, value: number | boolean): void => {
      text += `${name}${labels === '' ? '' : `{${labels}}`} ${Number(value)}\n`;
      lines += 1;
      if (text.length >= CHUNK_CHARACTERS) flush();
    },
    lines: (): number => lines,
    chunks: (): readonly Buffer[] => {
      flush();
      return chunks;
    },
  };
}

/** Between the braces. A label without a value is left out, which is the same to Prometheus as an empty one. */
export function labelText(labels: Labels): string {
  return Object.entries(labels)
    .flatMap(([name, value]) => (value === null || value === '' ? [] : `${name}="${escapeLabel(value)}"`))
    .join(',');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}
