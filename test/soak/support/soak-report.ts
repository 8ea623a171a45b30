import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quantile, slopePerS } from './slope.ts';
import type { Sample, SoakOptions, SoakResult } from './soak.ts';

const FOLDER = join(import.meta.dirname, '../../../var/soak');
const WIDTH = 640;
const HEIGHT = 160;
const MARGIN = 44;

const PLOTS: readonly { readonly file: string; readonly title: string; readonly of: (sample: Sample) => number }[] = [
  { file: 'heap', title: 'Memory in use after collection, MB', of: ({ heapMb }) => heapMb },
  { file: 'resident', title: 'Resident memory, MB', of: ({ residentMb }) => residentMb },
  { file: 'descriptors', title: 'Open descriptors', of: ({ descriptors }) => descriptors },
  { file: 'clients', title: 'Event clients', of: ({ eventClients }) => eventClients },
  { file: 'event-p99', title: 'Report to event client, p99, ms', of: ({ eventP99Ms }) => eventP99Ms },
  { file: 'request-p99', title: 'GET /device, p99, ms', of: ({ requestP99Ms }) => requestP99Ms },
  { file: 'written', title: 'Written to disk, KB', of: ({ writtenKb }) => writtenKb },
];

/** The figures of a run, as they are judged and reported. */
export type SoakFigures = {
  readonly heapMbPerH: number;
  readonly residentMbPerH: number;
  readonly bytesPerChange: number;
  /** Of the median sample. */
  readonly eventP99Ms: number;
  readonly requestP99Ms: number;
};

export function figuresOf({ samples, published }: SoakResult): SoakFigures {
  const perH = (of: (sample: Sample) => number): number =>
    slopePerS(samples.map((sample) => ({ atS: sample.atS, value: of(sample) }))) * 3_600;
  const written = (samples.at(-1)?.writtenKb ?? 0) - (samples[0]?.writtenKb ?? 0);
  const usual = (of: (sample: Sample) => number): number =>
    quantile(
      samples.map(of).filter((one) => one > 0),
      0.5,
    );
  return {
    eventP99Ms: usual(({ eventP99Ms }) => eventP99Ms),
    requestP99Ms: usual(({ requestP99Ms }) => requestP99Ms),
    heapMbPerH: perH(({ heapMb }) => heapMb),
    residentMbPerH: perH(({ residentMb }) => residentMb),
    bytesPerChange: (written * 1_024) / published,
  };
}

/** Adds a line of JSON to `var/soak/samples.jsonl`. */
export function writeSample(sample: Sample): void {
  mkdirSync(FOLDER, { recursive: true });
  appendFileSync(join(FOLDER, 'samples.jsonl'), `${JSON.stringify(sample)}\n`);
}

/** Writes `var/soak/report.md` with its plots and returns its path. */
export function writeSoakReport(options: SoakOptions, result: SoakResult): string {
  mkdirSync(FOLDER, { recursive: true });
  const { samples } = result;
  for (const { file, title, of } of PLOTS) {
    writeFileSync(
      join(FOLDER, `${file}.svg`),
      svgOf(
        title,
        samples.map((sample) => [sample.atS, of(sample)]),
      ),
    );
  }
  const figures = figuresOf(result);
  const rows: readonly (readonly [string, string])[] = [
    ['Wall time', `${(options.seconds / 60).toFixed(1)} min`],
    ['Time of the hub', `${((options.seconds * options.speed) / 3_600).toFixed(1)} h (×${options.speed})`],
    [
      'Load',
      `${options.devices} devices, ${options.changesPerS} changes/s, ${options.clients} event clients, ${options.neverReading} of them never read`,
    ],
    ['Memory in use after collection, slope', `${figures.heapMbPerH.toFixed(2)} MB/h`],
    ['Resident memory, slope', `${figures.residentMbPerH.toFixed(2)} MB/h`],
    [
      'Resident memory, first and last',
      `${samples[0]?.residentMb.toFixed(0)} → ${samples.at(-1)?.residentMb.toFixed(0)} MB`,
    ],
    ['Descriptors before and after', `${result.descriptorsBefore} → ${result.descriptorsAfter}`],
    ['Written', `${samples.at(-1)?.writtenKb.toFixed(0)} KB, ${figures.bytesPerChange.toFixed(0)} bytes per change`],
    ['Written while idle', `${result.idleBytes} bytes`],
    ['Report to event client, p99 (median of the samples)', `${figures.eventP99Ms.toFixed(1)} ms`],
    ['GET /device, p99 (median of the samples)', `${figures.requestP99Ms.toFixed(1)} ms`],
    ['Reports published', String(result.published)],
    ['Times the broker was killed, and halted', String(result.flaps)],
    ['Events received', `${result.received} by clients that came back ${result.resumed} times`],
    ['Honest gaps', String(result.gaps)],
    ['Events lost, doubled or out of order', String(result.faults.length)],
    ['Logins, refreshes', `${result.logins}, ${result.refreshes}`],
  ];
  const table = ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
  const plots = PLOTS.map(({ file, title }) => `![${title}](${file}.svg)`).join('\n\n');
  const path = join(FOLDER, 'report.md');
  writeFileSync(path, `# Soak\n\n${table}\n\nOver seconds of wall time:\n\n${plots}\n`);
  return path;
}

function svgOf(title: string, points: readonly (readonly [number, number])[]): string {
  const last = points.at(-1)?.[0] ?? 1;
  const top = Math.max(1, ...points.map(([, value]) => value)) * 1.1;
  const x = (at: number): string => (MARGIN + (at / last) * (WIDTH - MARGIN - 8)).toFixed(1);
  const y = (value: number): string => (HEIGHT - 20 - (value / top) * (HEIGHT - 40)).toFixed(1);
  const lines = [0, top / 2, top].map(
    (value) =>
      `<line x1="${MARGIN}" x2="${WIDTH - 8}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/>` +
      `<text x="${MARGIN - 4}" y="${y(value)}" text-anchor="end">${value.toPrecision(3)}</text>`,
  );
  const path = points.map(([at, value]) => `${x(at)},${y(value)}`).join(' ');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="10">`,
    `<rect width="100%" height="100%" fill="#fff"/><text x="${MARGIN}" y="12" font-size="12">${title}</text>`,
    ...lines,
    `<text x="${WIDTH - 8}" y="${HEIGHT - 4}" text-anchor="end">${last.toFixed(0)} s</text>`,
    `<polyline points="${path}" fill="none" stroke="#07c" stroke-width="1.5"/>`,
    '</svg>\n',
  ].join('\n');
}
