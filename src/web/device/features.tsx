import { useState } from 'preact/hooks';
import type { Device, Feature } from '#web/client/api.ts';
import { Choices } from '#web/form/choices.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { alarmOf, isUnavailable } from '#web/state/device/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { FeatureRow } from './feature-row.tsx';

type FeaturesProps = { readonly title: string; readonly entry: DeviceEntry; readonly features: readonly Feature[] };

export function Features({ title, entry, features }: FeaturesProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  if (features.length === 0) return null;
  const ways = colorWays(features);
  const shown = ways.find(({ key }) => key === chosen) ?? ways[0];
  return (
    <section class="panel">
      <h2 class="panel-title">{title}</h2>
      <ul>
        {features
          .filter((feature) => feature === shown || !ways.includes(feature))
          .map((feature) => (
            <FeatureRow key={feature.key} entry={entry} feature={feature}>
              {feature !== shown ? null : (
                <Choices
                  label={deviceWords.presets}
                  names={[...ways].sort((one, other) => isColor(one) - isColor(other)).map(({ key }) => key)}
                  words={Object.fromEntries(ways.map(({ key, name }) => [key, name]))}
                  chosen={shown.key}
                  onChoose={setChosen}
                />
              )}
            </FeatureRow>
          ))}
      </ul>
    </section>
  );
}

const isColor = ({ capability }: Feature): number => Number(capability === 'color');

/** A lamp shines in a color or in a white: both of its controls, the one that it shines in first, else the white. */
function colorWays(features: readonly Feature[]): readonly Feature[] {
  const ways = features.filter(({ capability, component, writable }) => {
    return writable && component === 'main' && (capability === 'color' || capability === 'color_temperature');
  });
  if (ways.length !== 2) return [];
  return [...ways].sort(
    (one, other) => (other.changed_at ?? '').localeCompare(one.changed_at ?? '') || isColor(one) - isColor(other),
  );
}

/** Fire, gas and water: where it is and what to do, in the color of the banner. */
export function Danger({ device }: { readonly device: Device }) {
  const alarm = isUnavailable(device) ? undefined : alarmOf(device);
  if (alarm === undefined || deviceWords.danger[alarm.capability] === undefined) return null;
  return (
    <div class="notification danger-notice" data-tone="critical" role="alert">
      <Icon name="warning" size={24} />
      <div class="notification-words">
        <p class="notification-title">
          <bdi>{[deviceWords.dangers[alarm.capability], device.room?.name].filter(Boolean).join(': ')}</bdi>
        </p>
        <p>
          <strong>{deviceWords.whatToDo}:</strong> {deviceWords.danger[alarm.capability]}
        </p>
      </div>
    </div>
  );
}
