import { isJsonObject, type JsonValue, parseJson } from '#base/json.ts';
import type { SetAside } from '#core/exporter/exporter.ts';
import { GAP_REASONS } from '#core/past/history/sample.ts';

/** How far an exporter has come. It is written with the samples of the hub, and causes no write of its own. */
export type ExportMark = {
  /** The receiver has everything below this number. It is on disk, so no other sample will get a lower one. */
  readonly position: number;
  /** The time of the last sample that the receiver has. */
  readonly ackedAtMs: number | null;
  readonly setAsideCount: number;
  readonly gaps: number;
  readonly lostSamples: number;
  /** What was forgotten below this number is counted. */
  readonly countedTo: number;
};

/** A mark for an exporter that begins here: what is gone already is no gap. */
export function markAt(position: number, countedTo: number): ExportMark {
  return { position, ackedAtMs: null, setAsideCount: 0, gaps: 0, lostSamples: 0, countedTo };
}

export function markText(mark: ExportMark): string {
  const { position, ackedAtMs, setAsideCount, gaps, lostSamples, countedTo } = mark;
  return JSON.stringify([position, ackedAtMs, setAsideCount, gaps, lostSamples, countedTo]);
}

/** Without a mark everything is sent again: receivers keep one value for each time. */
export function readMark(text: string | undefined): ExportMark {
  const read = text === undefined ? undefined : parseJson(text);
  const numberAt = (index: number): number | null => {
    const found = Array.isArray(read) ? read[index] : undefined;
    return typeof found === 'number' ? found : null;
  };
  return {
    position: numberAt(0) ?? 0,
    ackedAtMs: numberAt(1),
    setAsideCount: numberAt(2) ?? 0,
    gaps: numberAt(3) ?? 0,
    lostSamples: numberAt(4) ?? 0,
    countedTo: numberAt(5) ?? 0,
  };
}

const KEPT = 100;
const MAX_TEXT = 200;

/** The newest first. Long texts are cut. */
export function withSetAside(older: readonly SetAside[], added: SetAside): readonly SetAside[] {
  const { value, error } = added;
  const shown = typeof value === 'string' ? value.slice(0, MAX_TEXT) : value;
  const detail = error.detail?.slice(0, MAX_TEXT) ?? null;
  return [{ ...added, value: shown, error: { ...error, detail } }, ...older].slice(0, KEPT);
}

/** The hub wrote it, but a restored backup may be of any origin. */
export function readSetAside(text: string | undefined): readonly SetAside[] {
  const read = text === undefined ? undefined : parseJson(text);
  return Array.isArray(read) ? read.flatMap((one) => readOne(one) ?? []) : [];
}

function readOne(stored: JsonValue): SetAside | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { series, atMs, value, error } = stored;
  if (typeof series !== 'string' || typeof atMs !== 'number' || error === undefined || !isJsonObject(error)) {
    return undefined;
  }
  const { message, detail } = error;
  const kept = readValue(value);
  if (kept === undefined || typeof message !== 'string') return undefined;
  return {
    series,
    atMs,
    value: kept,
    error: { code: 'sample_refused', message, detail: typeof detail === 'string' ? detail : null },
  };
}

function readValue(value: JsonValue | undefined): SetAside['value'] | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (value === undefined || !isJsonObject(value)) return undefined;
  const gap = GAP_REASONS.find((reason) => reason === value['gap']);
  return gap === undefined ? undefined : { gap };
}
