import { createTimeZone } from '#base/time/time-zone.ts';
import type { HomePort } from '#integrations/ports.ts';

const never = (): never => {
  throw new Error('this integration has no use for the home');
};

/** For integrations that offer nothing elsewhere. */
export const NO_HOME: HomePort = {
  hubId: 'hub',
  version: '0.0.0',
  devices: () => [],
  findDevice: never,
  findRoom: never,
  kindOf: never,
  uniqueIdOf: never,
  local: () => ({ nowMs: null, isSynced: false, zone: createTimeZone('UTC'), language: null }),
  integrationOf: () => undefined,
  follow: () => () => undefined,
  command: never,
};
