import type { Feature } from '#web/client/api.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { useControl } from './use-feature.ts';

/** Locks, or asks and then unlocks. */
export function LockButton({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const isLocked = value === true;
  return (
    <button type="button" class="lock-button" disabled={isDisabled} onClick={() => set(!isLocked)}>
      <Icon name={isLocked ? 'unlock' : 'lock'} size={20} />
      {isLocked ? pageWords.control.unlock : pageWords.control.lock}
    </button>
  );
}
