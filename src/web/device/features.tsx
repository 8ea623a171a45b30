import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { FeatureRow } from './feature-row.tsx';

type FeaturesProps = { readonly title: string; readonly entry: DeviceEntry; readonly features: readonly Feature[] };

export function Features({ title, entry, features }: FeaturesProps) {
  if (features.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{title}</h2>
      <ul>
        {features.map((feature) => (
          <FeatureRow key={feature.key} entry={entry} feature={feature} />
        ))}
      </ul>
    </section>
  );
}
