import type { Status } from '#web/state/device/device-status.ts';
import { useRef } from 'preact/hooks';
import { Toggle } from '#web/controls/feature-control.tsx';
import { featureOf, iconOf } from '#web/state/device/device-facts.ts';
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
      {() =>
        status === 'lights' ? (
          <Lights lit={entries} />
        ) : (
          <ul class="rows picker">
            {entries.map((entry) => (
              <li key={entry.id}>
                <a class="row" href={`/device/${entry.device.value.selector}`}>
                  <StatusRow entry={entry} />
                  <Icon name="forward" size={18} />
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </Dialog>
  );
}

function StatusRow({ entry }: { readonly entry: DeviceEntry }) {
  const device = entry.device.value;
  return (
    <>
      <Icon name={iconOf(device)} />
      <span class="row-text">
        <bdi class="row-title">{device.name}</bdi>
        <span class="row-note">
          <bdi>{device.room?.name ?? pageWords.home.noRoom}</bdi>
          <CardState entry={entry} />
        </span>
      </span>
    </>
  );
}

/** The lamps that are lit, each with its switch. One that goes out stays in its place, so that it can be lit again. */
function Lights({ lit }: { readonly lit: readonly DeviceEntry[] }) {
  const { current: shown } = useRef<DeviceEntry[]>([]);
  shown.push(...lit.filter((entry) => !shown.includes(entry)));
  return (
    <>
      <ul class="rows picker">
        {shown.map((entry) => {
          const device = entry.device.value;
          const on = featureOf(device, 'on');
          return (
            <li key={entry.id} class="row">
              <a class="row-link" href={`/device/${device.selector}`}>
                <StatusRow entry={entry} />
              </a>
              {on?.writable === true ? <Toggle entry={entry} feature={on} label={device.name} /> : null}
            </li>
          );
        })}
      </ul>
      <div class="dialog-buttons">
        <LightsOff entries={lit} />
      </div>
    </>
  );
}

function LightsOff({ entries }: { readonly entries: readonly DeviceEntry[] }) {
  const { account, commands } = useHub();
  const usable = entries.filter(({ device }) => refusalOf(account, device.value) === undefined);
  return (
    <button
      type="button"
      class="button button-main"
      disabled={usable.length === 0}
      onClick={() => commands.turn(usable, false, pageWords.home.lightsOff)}
    >
      {pageWords.home.lightsOff}
    </button>
  );
}
