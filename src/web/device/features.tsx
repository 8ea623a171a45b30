import { useState } from 'preact/hooks';
import type { Feature } from '#web/client/api.ts';
import { Choices } from '#web/form/choices.tsx';
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
                  names={ways.map(({ key }) => key).sort()}
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

/** A lamp shines in a color or in a white: both of its controls, the one that it shines in first. */
function colorWays(features: readonly Feature[]): readonly Feature[] {
  const ways = features.filter(({ capability, component, writable }) => {
    return writable && component === 'main' && (capability === 'color' || capability === 'color_temperature');
  });
  if (ways.length !== 2) return [];
  return [...ways].sort((one, other) => (other.changed_at ?? '').localeCompare(one.changed_at ?? ''));
}
