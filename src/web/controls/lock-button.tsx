import { useState } from 'preact/hooks';
import type { Feature } from '#web/client/home.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { t } from '#web/strings/strings.ts';
import { useControl } from './use-feature.ts';

/** Locks at once, and asks before it unlocks. */
export function LockButton({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const [isAsking, setIsAsking] = useState(false);
  const isLocked = value === true;
  const { name } = entry.device.value;
  return (
    <>
      <button
        type="button"
        class="lock-button"
        disabled={isDisabled}
        onClick={() => (isLocked ? setIsAsking(true) : set(true))}
      >
        <Icon name={isLocked ? 'unlock' : 'lock'} size={20} />
        {isLocked ? t.control.unlock : t.control.lock}
      </button>
      {isAsking ? (
        <ConfirmDialog
          title={t.control.unlockTitle(name)}
          text={t.control.unlockText}
          confirm={t.control.unlock}
          onConfirm={() => set(false)}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}
