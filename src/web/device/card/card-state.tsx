import type { Device, Feature } from '#web/client/api.ts';
import { shownOf, shownValue } from '#web/controls/use-feature.ts';
import { featureOf, gangsOf, isCutOff, isUnavailable, readingsOf } from '#web/state/device/device-facts.ts';
import { Ago, Since } from '#web/parts/ago.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { numberWords, valueWords } from '#web/strings/value-words.ts';

/** The line under a device's name: its state, or why the state is unknown. */
export function CardState({ entry }: { readonly entry: DeviceEntry }) {
  const device = entry.device.value;
  const fault = entry.fault.value;
  if (fault !== null) {
    return (
      <p class="card-state card-fault">
        <Icon name="warning" size={16} />
        <span>{fault}</span>
      </p>
    );
  }
  if (isUnavailable(device)) {
    return (
      <p class="card-state">
        {isCutOff(device) ? pageWords.device.cutOff : pageWords.device.offline} <Since at={device.availability.since} />
      </p>
    );
  }
  const words = stateWords(entry, device);
  const main = mainFeature(device);
  const trust = main === undefined ? 'confirmed' : shownOf(entry, main).trust;
  return (
    <p class="card-state" data-trust={trust}>
      {words}
      {main === undefined ? null : <Trust feature={main} trust={trust} separated={words !== ''} />}
    </p>
  );
}

/** The feature that the words of the state are about. */
function mainFeature(device: Device): Feature | undefined {
  return (
    ['on', 'position', 'locked', 'temperature', 'target_temperature', 'cover_state']
      .map((capability) => featureOf(device, capability))
      .find((feature) => feature?.readable === true) ?? readingsOf(device)[0]
  );
}

function Trust({ feature, trust, separated }: { feature: Feature; trust: string; separated: boolean }) {
  const dot = separated ? ' · ' : '';
  if (trust === 'sending') return <span class="trust">{dot + pageWords.trust.sending}</span>;
  if (trust === 'waiting') return <span class="trust">{dot + pageWords.trust.waiting}</span>;
  if (trust === 'assumed') return <span class="unseen">{pageWords.trust.assumed}</span>;
  if (trust === 'restored') return <span class="trust">{dot + pageWords.trust.lastKnownShort}</span>;
  if (trust !== 'stale' || feature.observed_at === null) return null;
  return (
    <span class="trust">
      {dot}
      <Ago at={feature.observed_at} />
    </span>
  );
}

function stateWords(entry: DeviceEntry, device: Device): string {
  const gangs = gangsOf(device);
  if (gangs.length > 0) {
    return pageWords.state.someOn(gangs.filter((gang) => shownValue(entry, gang) === true).length, gangs.length);
  }
  const value = (capability: string): unknown => shownValue(entry, featureOf(device, capability));
  const on = value('on');
  const brightness = value('brightness');
  if (typeof on === 'boolean') {
    return on && typeof brightness === 'number'
      ? `${pageWords.on} · ${Math.round(brightness)} %`
      : on
        ? pageWords.on
        : pageWords.off;
  }
  const position = value('position');
  if (typeof position === 'number') {
    return position <= 0
      ? pageWords.state.closed
      : position >= 100
        ? pageWords.state.open
        : pageWords.state.partlyOpen(Math.round(position));
  }
  const locked = value('locked');
  if (typeof locked === 'boolean') return locked ? pageWords.state.locked : pageWords.state.unlocked;
  const target = featureOf(device, 'target_temperature');
  const inside = featureOf(device, 'temperature');
  if (target !== undefined && typeof inside?.value === 'number') {
    const now = numberWords(inside.value, inside);
    return value('thermostat_state') === 'heat' ? `${now} · ${pageWords.state.heating}` : now;
  }
  const cover = featureOf(device, 'cover_state');
  return cover === undefined ? '' : valueWords(cover, value('cover_state'));
}
