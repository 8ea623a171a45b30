import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { alarmOf } from '#web/state/device/device-facts.ts';
import { LOOKS, type Status } from '#web/state/device/device-status.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { alarmWords } from '#web/strings/value-words.ts';
import { statusOfHome } from './status.ts';
import type { StatusSheetProps } from './status-sheet.tsx';

/** Named where one device alone is meant and it matters which. */
const NAMED: ReadonlySet<Status> = new Set(['alarm', 'unlocked', 'open']);

/** How the whole home is, in one quiet line, the most urgent first. Each word opens the list of its devices. */
export function StatusLine() {
  const { home, own, attention, messages } = useHub();
  const [open, setOpen] = useState<{ readonly status: Status; readonly Sheet: ComponentType<StatusSheetProps> } | null>(
    null,
  );
  const found = statusOfHome(home.entries.value, own.view.value?.hidden ?? []);
  const show = (status: Status): void => {
    import('./status-sheet.tsx').then(
      ({ StatusSheet }) => setOpen({ status, Sheet: StatusSheet }),
      () => messages.show(pageWords.problem.network, 'danger'),
    );
  };
  return (
    <div class="status-line" role="group" aria-label={homeWords.status}>
      {found.map(([status, entries]) => (
        <button
          key={status}
          type="button"
          class="status"
          data-tone={status === 'battery' ? undefined : LOOKS[status].tone}
          aria-haspopup="dialog"
          onClick={() => show(status)}
        >
          <Icon name={LOOKS[status].icon} size={18} />
          <bdi>{statusWords(status, entries)}</bdi>
        </button>
      ))}
      {found.length === 0 && attention.list.value.every(({ severity }) => severity !== 'critical') ? (
        <span class="status" data-tone="good">
          <Icon name="check" size={18} />
          {homeWords.allWell}
        </span>
      ) : null}
      {open === null ? null : <open.Sheet status={open.status} onClose={() => setOpen(null)} />}
    </div>
  );
}

function statusWords(status: Status, entries: readonly DeviceEntry[]): string {
  const [only] = entries;
  if (only === undefined || entries.length > 1 || !NAMED.has(status)) return homeWords.statuses[status](entries.length);
  const device = only.device.value;
  return homeWords.one(oneWord(status, device), device.name);
}

function oneWord(status: Status, device: Device): string {
  if (status === 'alarm') return alarmWords(alarmOf(device));
  return status === 'unlocked' ? pageWords.state.unlocked : pageWords.state.open;
}
