import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { useControl } from './use-feature.ts';

type Props = { readonly entry: DeviceEntry; readonly gangs: readonly Feature[] };

/** A switch for each part of a device. */
export function GangButtons({ entry, gangs }: Props) {
  return (
    <div class="choices" role="group" aria-label={entry.device.value.name}>
      {gangs.map((feature) => (
        <Gang key={feature.key} entry={entry} feature={feature} />
      ))}
    </div>
  );
}

function Gang({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  return (
    <button
      type="button"
      class="gang"
      aria-pressed={value === true}
      disabled={isDisabled}
      onClick={() => set(value !== true)}
    >
      {enumWords(feature.component)}
    </button>
  );
}
