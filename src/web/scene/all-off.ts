import type { Device } from '#web/client/api.ts';
import type { Right } from '#web/state/account/rights.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';

const DAY_MS = 86_400_000;

type Home = { readonly entries: { readonly value: readonly Pick<DeviceEntry, 'device'>[] } };
type Account = {
  readonly can: (right: Right) => boolean;
  readonly me: { readonly value: { readonly rooms: readonly string[] | null } | null };
};

/** The devices with a switch that may go off with the rest; one that opens or guards the home never does. */
export function switchable({ home }: { readonly home: Home }): readonly Device[] {
  return home.entries.value
    .map(({ device }) => device.value)
    .filter(
      ({ integration, sensitive, features }) =>
        integration !== 'group' &&
        !sensitive &&
        features.some(({ capability, writable, readable }) => capability === 'on' && writable && readable),
    );
}

/** The devices that stay on, and nobody has said so: a plug, behind which may be a lamp or a fridge. */
export function undecided(devices: readonly Device[]): readonly Device[] {
  return devices.filter(({ all_off: isIn, all_off_by: by }) => !isIn && by === 'type');
}

/** The same without those that came within a day: their people are asked at the first use, and have other things to do. */
export function longUndecided(devices: readonly Device[], nowMs: number): readonly Device[] {
  return undecided(devices).filter(({ created_at: at }) => nowMs - Date.parse(at) >= DAY_MS);
}

/** Only who may choose for the whole home is asked; for all others a tap does what the types say. */
export function mayChoose({ account }: { readonly account: Account }): boolean {
  return account.can('device:manage') && account.me.value?.rooms === null;
}
