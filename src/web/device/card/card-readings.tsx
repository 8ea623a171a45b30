import type { Feature } from '#web/client/api.ts';
import { featureOf, gangsOf, natureOf, readingsOf } from '#web/state/device/device-facts.ts';
import { Ago, Since } from '#web/parts/ago.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords, numberParts, valueWords } from '#web/strings/value-words.ts';

const CONTROLS = ['brightness', 'cover_state', 'locked', 'target_temperature', 'position', 'fan_speed', 'volume'];
const MOST = 2;
/** More letters do not fit into one line. */
const MOST_LETTERS = 11;

/** Shows the measurements of a device, large, on cards that have no control in that place. */
export function CardReadings({ entry }: { readonly entry: DeviceEntry }) {
  const device = entry.device.value;
  if (CONTROLS.some((capability) => featureOf(device, capability)?.writable === true)) return null;
  const button = featureOf(device, 'button');
  if (button !== undefined) return <LastPress entry={entry} />;
  if (gangsOf(device).length > 0) return null;
  const all = readingsOf(device)
    .filter(({ value }) => value !== null)
    .slice(0, MOST);
  const letters = all.map((feature) => valueWords(feature, feature.value)).join('').length;
  const readings = letters > MOST_LETTERS ? all.slice(0, 1) : all;
  if (readings.length === 0) {
    return natureOf(device).kind === 'sensor' ? <p class="reading-none">{pageWords.trust.none}</p> : null;
  }
  return (
    <dl class="readings">
      {readings.map((feature) => (
        <div key={feature.key} class="reading" data-trust={feature.quality}>
          <dt class="unseen">{feature.name}</dt>
          <dd>
            <Value feature={feature} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ feature }: { readonly feature: Feature }) {
  const { value } = feature;
  if (typeof value === 'boolean' && feature.quality === 'confirmed' && feature.changed_at !== null) {
    return (
      <span class="last-press">
        <span class="reading-word">{valueWords(feature, value)}</span>
        <span class="trust">
          <Since at={feature.changed_at} />
        </span>
      </span>
    );
  }
  if (typeof value !== 'number') return <span class="reading-word">{valueWords(feature, value)}</span>;
  const [number, unit] = numberParts(value, feature);
  if (unit === '°') return <span class="reading-number">{number + unit}</span>;
  return (
    <>
      <span class="reading-number">{number}</span>
      <span class="reading-unit">{unit}</span>
    </>
  );
}

/** The button that was pressed last. */
function LastPress({ entry }: { readonly entry: DeviceEntry }) {
  const [last] = [...entry.presses.value.values()].sort((one, other) => other.at.localeCompare(one.at));
  if (last === undefined) return <p class="reading-none">{pageWords.state.noPress}</p>;
  return (
    <p class="last-press">
      <span class="reading-word">{pageWords.presses[last.action] ?? enumWords(last.action)}</span>
      <span class="trust">
        <Ago at={last.at} />
      </span>
    </p>
  );
}
