import type { JsonValue } from '#base/json.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { Wording } from '#words/texts.ts';

/** The longest pairing time, in seconds: Zigbee has one byte for it, in which 255 means "for ever". */
export const MAX_PAIRING_S = 254;

export type PairingProgress = {
  readonly step: 'opened' | 'closed' | 'device_found' | 'interview_started' | 'interview_done' | 'interview_failed';
  readonly externalId: string | null;
  readonly deviceId: DeviceId | null;
  /** Seconds for which pairing stays open; only with `opened`. */
  readonly seconds: number | null;
  readonly detail: JsonValue;
  /** Names the detail among the words of the kind, where it is a text. */
  readonly reason?: Wording;
};

/** How far devices are that join an integration now, or joined it last. */
export type PairingState = {
  /** For how long it goes on; `null` while none joins. */
  readonly remainingS: number | null;
  /** The last of each device since it began. */
  readonly progress: readonly PairingProgress[];
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'pairing.changed': { readonly integration: string; readonly pairing: PairingProgress };
  }
}
