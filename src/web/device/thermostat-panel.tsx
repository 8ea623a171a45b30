import type { Device } from '#web/client/api.ts';
import { SetPoint } from '#web/controls/set-point.tsx';
import { shownOf } from '#web/controls/use-feature.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords, numberWords, valueWords } from '#web/strings/value-words.ts';
import { featureOf } from '#web/state/device/device-facts.ts';
import { Trust } from './feature-row.tsx';
import type { Thermostat } from '#web/state/device/main-features.ts';

/** How warm it is, how warm it is to be, and what is done about it, in one block. */
export function ThermostatPanel({ entry, of }: { readonly entry: DeviceEntry; readonly of: Thermostat }) {
  const { account } = useHub();
  const device = entry.device.value;
  const { target, inside } = of;
  const { value, trust } = shownOf(entry, inside);
  const refusal = refusalOf(account, device) === undefined ? refusalOf(account, device, target) : undefined;
  const doing = doingWords(entry, device);
  return (
    <section class="panel thermostat">
      <h2 class="panel-title">{target.name}</h2>
      <p class="thermostat-now" data-trust={trust}>
        <span class="soft">{deviceWords.now}</span> <span class="reading-number">{valueWords(inside, value)}</span>
      </p>
      <SetPoint
        entry={entry}
        feature={target}
        label={target.name}
        words={{ less: pageWords.control.colder, more: pageWords.control.warmer }}
      />
      <p class="soft">
        {doing === '' ? null : `${doing} · `}
        <Trust feature={target} trust={shownOf(entry, target).trust} />
      </p>
      {refusal === undefined ? null : <p class="refusal">{refusal}</p>}
    </section>
  );
}

function doingWords(entry: DeviceEntry, device: Device): string {
  const state = featureOf(device, 'thermostat_state');
  const demand = featureOf(device, 'heating_demand');
  const percent = typeof demand?.value === 'number' ? numberWords(demand.value, demand) : '';
  const value = state === undefined ? undefined : shownOf(entry, state).value;
  if (value === 'heat' || value === 'heating') return deviceWords.heating(percent);
  if (value === 'cool' || value === 'cooling') return deviceWords.cooling;
  if (value === 'idle' || value === 'off') return deviceWords.idle;
  return typeof value === 'string' ? enumWords(value) : percent === '' ? '' : deviceWords.heating(percent);
}
