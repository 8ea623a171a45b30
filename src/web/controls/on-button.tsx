import type { Feature } from '#web/client/api.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/icon-lines.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { useControl } from './use-feature.ts';

type Props = {
  readonly entry: DeviceEntry;
  readonly feature: Feature;
  readonly icon: IconName;
  readonly label: string;
};

/** The round switch of a card. It shows the icon of the device. */
export function OnButton({ entry, feature, icon, label }: Props) {
  const { value, trust, isDisabled, set } = useControl(entry, feature);
  const isOn = value === true;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      class="on-button"
      data-trust={trust}
      disabled={isDisabled}
      onClick={() => set(!isOn)}
    >
      <Icon name={icon} size={24} />
    </button>
  );
}
