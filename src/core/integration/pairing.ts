import type { PairingProgress } from '#core/event/event.ts';

/** The longest pairing time, in seconds: Zigbee has one byte for it, in which 255 means "for ever". */
export const MAX_PAIRING_S = 254;

/** How far devices are that join an integration now, or joined it last. */
export type PairingState = {
  /** For how long it goes on; `null` while none joins. */
  readonly remainingS: number | null;
  /** The last of each device since it began. */
  readonly progress: readonly PairingProgress[];
};
