import type { Device } from '#web/client/api.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { featureOf } from '#web/state/device/device-facts.ts';

/** Integrations say these of a device that does not answer: each protocol has its own word for it. */
const SILENT = new Set(['connectivity_issue', 'dead', 'disconnected', 'no_answer', 'no_response', 'unreachable']);
const SAME: Readonly<Record<string, string>> = { sleeping: 'asleep' };

/** Whether a person may find the cause at the device itself. */
export function isSilent(reason: string | null): boolean {
  return reason !== null && SILENT.has(reason);
}

/** Why a device is not online; `undefined` for a word that the page does not know. */
export function reasonWords(reason: string): string | undefined {
  return pageWords.device.reasons[isSilent(reason) ? 'no_response' : (SAME[reason] ?? reason)];
}

/** Why a device cannot be used right now; `undefined` if it can. */
export function whyUnavailable({ availability: { state, reason } }: Device): string | undefined {
  if (state !== 'offline' && state !== 'unknown') return undefined;
  const why = reason === null ? '' : (reasonWords(reason) ?? reason);
  return state === 'offline' ? pageWords.device.offlineWhy(why) : pageWords.device.unknownWhy(why);
}

/** Advises what a person can do about a device that is silent; `undefined` for any other. */
export function adviceFor(device: Device): string | undefined {
  if (!isSilent(device.availability.reason)) return undefined;
  const isBattery = featureOf(device, 'battery') !== undefined || featureOf(device, 'battery_low') !== undefined;
  return isBattery ? deviceWords.advice.battery : deviceWords.advice.mains;
}
