import type { Exporter } from '#web/client/api.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { durationWords, momentWords } from '#web/strings/measure-words.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { errorWords } from '#web/strings/error-words.ts';

export function nameOf({ name, url, broker }: Pick<Exporter, 'name' | 'url' | 'broker'>): string {
  return name ?? url ?? broker ?? '';
}

/** Says what the exporter leaves out, if anything. */
export function filterWords({ series: { rooms, devices, keys } }: Pick<Exporter, 'series'>): readonly string[] {
  const parts = [
    rooms === null ? '' : settingsWords.exporters.ofRooms(rooms.length),
    devices === null ? '' : settingsWords.exporters.ofDevices(devices.length),
    keys === null ? '' : settingsWords.exporters.ofFeatures(keys.length),
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [settingsWords.exporters.only(parts.join(', '))];
}

/** A minute behind is no news: new samples go together every five seconds. */
const LATE_S = 60;

type Shown = Pick<
  Exporter,
  'status' | 'error' | 'failing_since' | 'acked_at' | 'behind_s' | 'set_aside' | 'set_aside_count' | 'lost_samples'
>;

/** How an exporter fares, in sentences. */
export function statusWords(exporter: Shown): readonly string[] {
  const { status, error, acked_at: ackedAt, behind_s: behindS, set_aside: setAside } = exporter;
  const [newest] = setAside;
  const isLate = status !== 'off' && behindS !== null && behindS >= LATE_S;
  return [
    settingsWords.exporters.states[status],
    status === 'failing' && error !== null
      ? settingsWords.exporters.because(errorWords(error), inEnglish(error.detail))
      : null,
    isLate ? settingsWords.exporters.behind(durationWords(behindS)) : null,
    ackedAt === null ? null : settingsWords.exporters.upTo(momentWords(ackedAt)),
    exporter.set_aside_count === 0 ? null : settingsWords.exporters.aside(exporter.set_aside_count),
    newest?.error.detail === undefined || newest.error.detail === null
      ? null
      : settingsWords.exporters.said(inEnglish(newest.error.detail)),
    exporter.lost_samples === 0 ? null : settingsWords.exporters.lost(exporter.lost_samples),
  ].filter((words) => words !== null);
}
