import { HubError } from '#base/hub-error.ts';
import type { AuthorizedChange } from '#core/person/authorized-change.ts';
import type { IntegrationStatus } from '#core/event/event.ts';
import type { IntegrationSettings, IntegrationSettingsChange } from '#core/integration/integration-settings.ts';

/** What these calls need of the integrations. */
export type IntegrationDirectory = {
  readonly reports: () => readonly IntegrationReport[];
  readonly findIntegration: (id: string) => PairingDoor | undefined;
  /** False where nobody has set it up, and nothing has ever answered: that it is not connected is no fault then. */
  readonly isSetUp: (report: IntegrationReport) => boolean;
  /** `undefined` for one that has none. */
  readonly settingsOf: (id: string) => IntegrationSettings | undefined;
  /**
   * On disk and in use when it resolves; whether they lead anywhere, the status tells. Throws HubError SETTING_FIXED and
   * VALIDATION_FAILED, and what `authorize` throws.
   */
  readonly changeSettings: (id: string, change: IntegrationSettingsChange, given: AuthorizedChange) => Promise<void>;
  /** It is not started by itself, for the hub died of it. */
  readonly isInSafeMode: (id: string) => boolean;
  /** Starts it again. Throws what `authorize` throws. */
  readonly endSafeMode: (id: string, given: AuthorizedChange) => Promise<void>;
};
export type IntegrationReport = {
  readonly id: string;
  readonly name: string;
  readonly status: IntegrationStatus;
  readonly devices: number;
};
type PairingDoor = { readonly name: string; readonly openPairing?: (seconds: number) => Promise<void> };

/** The integration of this id. Throws NOT_FOUND. */
export function findOrRefuse({ findIntegration }: IntegrationDirectory, id: string): PairingDoor {
  const integration = findIntegration(id);
  if (integration === undefined) throw new HubError('NOT_FOUND', 'There is no such integration.');
  return integration;
}
