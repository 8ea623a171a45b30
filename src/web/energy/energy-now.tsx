import type { Device, Feature } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Facts } from '#web/parts/facts.tsx';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { powerWords } from '#web/strings/amount-words.ts';

const NAMES = ['home_power', 'solar_power', 'grid_power', 'battery_power'] as const;

/** The powers of this moment, as the hub's own device `energy` has them. */
export function EnergyNow() {
  const { home } = useHub();
  const device = home.entries.value.find((entry) => entry.device.value.integration === 'energy')?.device.value;
  const facts = NAMES.flatMap((name) => {
    const feature = device?.features.find(({ key }) => key === name);
    return feature === undefined ? [] : [factOf(name, feature)];
  });
  return facts.length === 0 ? null : <Facts title={energyWords.now} facts={facts} />;
}

function factOf(name: (typeof NAMES)[number], { value, quality }: Feature): readonly [string, string] {
  const words = energyWords.powers[name];
  const isKnown = typeof value === 'number';
  // The sign is said in words.
  const title = typeof words === 'string' ? words : words[isKnown && value < 0 ? 1 : 0];
  return [
    title ?? name,
    isKnown ? presentWords(typeof words === 'string' ? value : Math.abs(value), quality) : energyWords.notKnown,
  ];
}

function presentWords(watts: number, quality: Feature['quality']): string {
  return quality === 'stale' || quality === 'restored' ? energyWords.oldPower(powerWords(watts)) : powerWords(watts);
}

/** The power beside a counter of the same part of a device, now; `undefined` where none is known. */
export function presentPower(device: Device | undefined, series: string): string | undefined {
  const key = series.slice(series.indexOf('/') + 1);
  const part = key.slice(0, key.lastIndexOf('.') + 1);
  const isPower = (feature: Feature): boolean =>
    feature.unit === 'W' && (feature.key === key || (feature.capability === 'power' && feature.key === `${part}power`));
  const power = device?.availability.state === 'offline' ? undefined : device?.features.find(isPower);
  return typeof power?.value === 'number' ? presentWords(power.value, power.quality) : undefined;
}
