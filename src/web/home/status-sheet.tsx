import type { Status } from '#web/state/device/device-status.ts';
import { iconOf } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { CardState } from '#web/device/card/card-state.tsx';
import { statusOfHome } from './status.ts';

export type StatusSheetProps = { readonly status: Status; readonly onClose: () => void };

/** The devices of which something is said. It follows what happens to them. */
export function StatusSheet({ status, onClose }: StatusSheetProps) {
  const { home, own } = useHub();
  const found = statusOfHome(home.entries.value, own.view.value?.hidden ?? []);
  const entries = found.find(([one]) => one === status)?.[1] ?? [];
  return (
    <Dialog title={homeWords.statuses[status](entries.length)} onClose={onClose}>
      {(close) => (
        <>
          <ul class="rows picker">
            {entries.map((entry) => (
              <li key={entry.id}>
                <StatusRow entry={entry} />
              </li>
            ))}
          </ul>
          <div class="dialog-buttons">
            {status === 'lights' ? <LightsOff entries={entries} /> : null}
            <button type="button" class="button button-main" onClick={close}>
              {pageWords.close}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function StatusRow({ entry }: { readonly entry: DeviceEntry }) {
  const device = entry.device.value;
  return (
    <a class="row" href={`/device/${device.selector}`}>
      <Icon name={iconOf(device)} />
      <span class="row-text">
        <bdi class="row-title">{device.name}</bdi>
        <span class="row-note">
          <bdi>{device.room?.name ?? pageWords.home.noRoom}</bdi>
          <CardState entry={entry} />
        </span>
      </span>
      <Icon name="forward" size={18} />
    </a>
  );
}

function LightsOff({ entries }: { readonly entries: readonly DeviceEntry[] }) {
  const { account, commands } = useHub();
  const usable = entries.filter(({ device }) => refusalOf(account, device.value) === undefined);
  return (
    <button
      type="button"
      class="button"
      disabled={usable.length === 0}
      onClick={() => commands.turn(usable, false, pageWords.home.lightsOff)}
    >
      {pageWords.home.lightsOff}
    </button>
  );
}
