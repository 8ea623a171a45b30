import { randomUUID } from 'node:crypto';
import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { asideKey, type Credentials, type Exporter, type ExporterStore, markKey } from '#core/exporter/exporter.ts';
import type { NewSample, NumberedSample } from '#core/past/history/history-store.ts';
import type { ExportSample } from '#exporters/export-sample.ts';
import { type ExportersDeps, openExporters } from '#exporters/exporters.ts';
import type { SendResult, Sender } from '#exporters/sender.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

/** What survives a restart of the exporters. */
export type KeptExporters = {
  readonly records: Map<string, Exporter>;
  readonly meta: Map<string, string>;
  readonly secrets: Map<string, { readonly credentials: Credentials; readonly target: string }>;
};

export function keepExporters(): KeptExporters {
  return { records: new Map(), meta: new Map(), secrets: new Map() };
}

function storeOver({ records, meta }: KeptExporters): ExporterStore {
  return {
    loadExporters: async () => [...records.values()],
    saveExporter: async (exporter, mark) => {
      records.set(exporter.id, exporter);
      if (mark !== null) meta.set(markKey(exporter.id), mark);
    },
    deleteExporter: async (id) => {
      records.delete(id);
      for (const key of [markKey(id), asideKey(id)]) meta.delete(key);
    },
  };
}

export type NumberedHistory = ReturnType<typeof createNumberedHistory>;

/** A history whose samples are a tenth of a second apart, unless their times say otherwise, in parts of three moments. */
export function createNumberedHistory() {
  const samples: NumberedSample[] = [];
  const forgotten: { to: number; samples: number }[] = [];
  let end = 1;
  const hidden = new Set<number>();
  let safe = Infinity;
  return {
    samples,
    append: (...added: readonly NewSample[]): void => {
      for (const sample of added) {
        samples.push({ ...sample, number: end });
        end += 1;
      }
    },
    /** Removes what has a lower number. */
    forget: (to: number): void => {
      const kept = samples.filter(({ number }) => number >= to);
      forgotten.push({ to, samples: samples.length - kept.length });
      samples.splice(0, samples.length, ...kept);
    },
    /** Begins anew below all numbers that were given. */
    lose: (): void => {
      samples.splice(0);
      end = 1;
    },
    /** As a person deletes: it is not given any more, and its bytes are still there. */
    hide: (number: number): void => void hidden.add(number),
    setSafe: (number: number): void => {
      safe = number;
    },
    port: {
      readNumbered: async (from: number) => {
        if (from > end) {
          return { samples: [], hidden: 0, next: end, safe: end, isEnd: true, isCutBack: true as const, forgotten };
        }
        const left = samples.filter(({ number }) => number >= from);
        const moments = new Set([...new Set(left.map(({ atMs }) => atMs))].slice(0, 3));
        const part = left.filter(({ atMs }) => moments.has(atMs));
        const next = part.length < left.length ? (left[part.length]?.number ?? end) : Math.max(from, end);
        const given = part.filter(({ number }) => !hidden.has(number));
        return {
          samples: given,
          hidden: part.length - given.length,
          next,
          safe: Math.min(safe, end),
          isEnd: next >= end,
          forgotten,
        };
      },
      locate: async (atMs: number) => {
        const from = samples.find((sample) => sample.atMs >= atMs)?.number ?? end;
        return { from: Math.min(from, safe), end };
      },
    },
  };
}

/** A receiver whose answers a test sets. It notes what it takes. */
export function createTestReceiver() {
  const taken: ExportSample[] = [];
  const requests: number[] = [];
  const receiver = {
    taken,
    /** How many samples each request had. */
    requests,
    probes: 0,
    answer: (_samples: readonly ExportSample[]): SendResult => ({ type: 'taken' }),
    answerProbe: (): SendResult => ({ type: 'taken' }),
    open: (): Sender => ({
      maxSamples: 1000,
      send: async (samples) => {
        requests.push(samples.length);
        const result = receiver.answer(samples);
        if (result.type === 'taken') taken.push(...samples);
        return { count: samples.length, result };
      },
      probe: async () => {
        receiver.probes += 1;
        return receiver.answerProbe();
      },
      close: () => undefined,
    }),
  };
  return receiver;
}

type Given = Partial<
  Pick<
    ExportersDeps,
    'clock' | 'startTimer' | 'openSender' | 'onChange' | 'onGap' | 'labelsOf' | 'random' | 'nowMs' | 'log'
  >
> & {
  readonly kept?: KeptExporters;
  readonly history?: Pick<NumberedHistory, 'port'>;
};

/** The real exporters, over what is kept here. */
export function openTestExporters(given: Given = {}) {
  const { kept = keepExporters(), history = createNumberedHistory(), clock = systemClock, ...rest } = given;
  const { secrets } = kept;
  return openExporters({
    store: storeOver(kept),
    history: history.port,
    loadMeta: async () => new Map(kept.meta),
    addMeta: (entries) => {
      for (const [key, value] of entries) kept.meta.set(key, value);
    },
    secrets: {
      write: async ({ id, secret }, credentials, target) => {
        const file = secret === `${id}.a` ? `${id}.b` : `${id}.a`;
        secrets.set(file, { credentials, target });
        return file;
      },
      remove: async (file) => void secrets.delete(file),
    },
    openSender: createTestReceiver().open,
    labelsOf: (series) => {
      const [device = '', key = ''] = series.split('/');
      return { device, key, room: null, unit: null, deviceId: null, roomId: null };
    },
    onChange: () => undefined,
    onGap: () => undefined,
    clock,
    nowMs: clock.wallMs,
    startTimer: startSystemTimer,
    random: () => 0.5,
    newId: randomUUID,
    log: createRecordingLog().log,
    ...rest,
  });
}
