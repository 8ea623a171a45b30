import type { HistorySeries } from '#web/client/api.ts';
import type { Drawing, Track } from '#web/history/history-figure.tsx';
import { listed } from '#web/strings/en/grammar.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import type { KnownSeries } from './use-known-series.ts';

type FigureGroup = {
  readonly id: string;
  readonly title: string;
  readonly drawing: Drawing;
  readonly tracks: readonly Track[];
};

/** The figures of a page: lines with the same unit share one, everything else has its own. */
export function groupsOf(
  chosen: readonly KnownSeries[],
  answers: ReadonlyMap<string, HistorySeries>,
): readonly FigureGroup[] {
  const groups = new Map<string, KnownSeries[]>();
  for (const one of chosen) {
    const { drawing, feature, id } = one;
    const shared = `line ${feature.unit ?? feature.capability}`;
    const key = drawing === 'line' ? shared : id;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  return [...groups].flatMap(([id, members]) => {
    const [first] = members;
    const whats = [...new Set(members.map(({ featureName }) => featureName))];
    const tracks = members.flatMap(({ id: series, deviceName, featureName, feature }): readonly Track[] => {
      const answer = answers.get(series);
      const name = whats.length === 1 ? deviceName : historyWords.pick.series(deviceName, featureName);
      return answer === undefined ? [] : [{ name, feature, series: answer }];
    });
    if (first === undefined || tracks.length === 0) return [];
    const title = members.length === 1 ? historyWords.pick.series(first.deviceName, first.featureName) : listed(whats);
    return [{ id, title, drawing: first.drawing, tracks }];
  });
}
