import type { SceneCaptured } from '#web/client/api.ts';
import { featureOf } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { enumWords } from '#web/strings/value-words.ts';

/** Lists what a capture left out, a line for each device. */
export function SkippedList({ skipped }: { readonly skipped: SceneCaptured['skipped'] }) {
  const { home } = useHub();
  if (skipped.length === 0) return null;
  const devices = [...new Set(skipped.map(({ device }) => device))];
  return (
    <Notice tone="warn" text={houseWords.skippedText}>
      <ul class="points">
        {devices.map((selector) => {
          const own = skipped.filter(({ device }) => device === selector);
          const device = home.find(selector)?.device.peek();
          const nameOf = (key: string): string =>
            (device === undefined ? undefined : featureOf(device, key)?.name) ?? enumWords(key);
          const why = houseWords.skipReasons[own[0]?.reason ?? 'none'];
          return (
            <li key={selector}>
              {houseWords.skipped(
                device?.name ?? selector,
                own.map(({ key }) => nameOf(key)),
                why,
              )}
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
