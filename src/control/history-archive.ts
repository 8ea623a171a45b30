import { exportArchive, type ExportQuery, planExport } from '#core/past/archive/archive-export.ts';
import { importArchive, importRefusal, type ImportTurn, textFromBytes } from '#core/past/archive/archive-import.ts';
import { createSeriesFinder, type SeriesFinderDeps } from '#core/past/archive/series-finder.ts';
import { createLabels, type LabelsDeps } from '#core/past/archive/series-labels.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { HistoryImport, HistoryImported, HubAdmin } from './hub-admin.ts';

export type HistoryArchiveDeps = {
  readonly history: Pick<HistoryStore, 'listSeries' | 'readSlice' | 'importSamples'>;
  readonly registry: SeriesFinderDeps['registry'] & Pick<LabelsDeps, 'findDevice'>;
  readonly house: SeriesFinderDeps['house'];
  readonly findRoom: LabelsDeps['findRoom'];
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly importTurn: ImportTurn;
};

/** Samples out and in, for the person at the machine, who may see everything. */
export function createHistoryArchive(deps: HistoryArchiveDeps): Pick<HubAdmin, 'exportHistory' | 'importHistory'> {
  const finder = createSeriesFinder(deps);
  const labelsOf = createLabels({ ...deps.registry, findRoom: deps.findRoom });
  const authorize = (): void => undefined;
  return {
    exportHistory: async (query: ExportQuery) => {
      const plan = planExport(query, { nowMs: deps.nowMs(), nameOf: (shown) => finder.find(shown)?.name });
      const shownAs = (name: string): string | undefined => finder.findStored(name)?.shown;
      return bytesOf(exportArchive({ ...deps, shownAs, labelsOf, authorize }, plan));
    },
    importHistory: async (content, how: HistoryImport): Promise<HistoryImported> => {
      const text = textFromBytes(content);
      const result = await deps.importTurn(() =>
        importArchive({ ...deps, findSeries: finder.find }, text, { ...how, authorize }),
      );
      if (result.faultCount > 0) throw importRefusal(result);
      const { lines, added, duplicates, skipped, series } = result;
      return { lines, added, duplicates, skipped, series };
    },
  };
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  for await (const piece of text) yield Buffer.from(piece);
}
