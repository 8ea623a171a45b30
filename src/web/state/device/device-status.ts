import type { Device, Feature } from '#web/client/api.ts';
import { alarmOf, featureOf, isCutOff, isLowOnBattery, isUnavailable } from './device-facts.ts';
import type { IconName } from '#web/icon-lines.ts';

/** A household wants to know these of the whole home. The first is the most urgent. */
export const STATUSES = ['alarm', 'unlocked', 'open', 'cutOff', 'offline', 'battery', 'lights', 'locked'] as const;
export type Status = (typeof STATUSES)[number];
export type Tone = 'danger' | 'warn' | 'lit' | 'good';

export const LOOKS: Readonly<Record<Status, { readonly tone: Tone; readonly icon: IconName }>> = {
  alarm: { tone: 'danger', icon: 'warning' },
  unlocked: { tone: 'danger', icon: 'unlock' },
  open: { tone: 'warn', icon: 'contact' },
  cutOff: { tone: 'warn', icon: 'link' },
  offline: { tone: 'warn', icon: 'offline' },
  battery: { tone: 'warn', icon: 'batteryLow' },
  lights: { tone: 'lit', icon: 'light' },
  locked: { tone: 'good', icon: 'lock' },
};

/** A value that the hub cannot vouch for opens and locks nothing. */
const isTrue = (feature: Feature | undefined, value: boolean): boolean => feature?.value === value;

const isOpen = (device: Device): boolean => {
  if (isTrue(featureOf(device, 'open'), true)) return true;
  return device.sensitive && featureOf(device, 'cover_state')?.value === 'open';
};
/** Jammed is not locked. */
const isUnlocked = (device: Device): boolean => isTrue(featureOf(device, 'locked'), false);

/** Everything that is to be said of one device. What is out of reach is only that: its values are old. */
export function statusesOf(device: Device): readonly Status[] {
  if (isCutOff(device)) return device.availability.reason === 'integration_down' ? ['cutOff'] : [];
  if (isUnavailable(device)) return ['offline'];
  const found: Status[] = [];
  if (alarmOf(device) !== undefined) found.push('alarm');
  if (isUnlocked(device)) found.push('unlocked');
  if (isTrue(featureOf(device, 'locked'), true)) found.push('locked');
  if (isOpen(device)) found.push('open');
  if (isLowOnBattery(device)) found.push('battery');
  return found;
}
