import { HubError } from '#base/hub-error.ts';
import type { AuthorizedChange } from '#core/person/authorized-change.ts';
import type { IntegrationStatus } from '#core/event/event.ts';
import type { IntegrationSettings, IntegrationSettingsChange } from '#core/integration/integration-settings.ts';

/** What these calls need from the integrations. */
export type IntegrationDirectory = {
  readonly reports: () => readonly IntegrationReport[];
  readonly findIntegration: (id: string) => PairingDoor | undefined;
  /** False if nobody has set it up and nothing has ever answered: then it is no fault that it is not connected. */
  readonly isSetUp: (report: IntegrationReport) => boolean;
  /** `undefined` for an integration without settings. */
  readonly settingsOf: (id: string) => IntegrationSettings | undefined;
  /**
   * Resolves once the settings are on disk and in use; the status shows whether they work. Throws HubError SETTING_FIXED
   * and VALIDATION_FAILED, and what `authorize` throws.
   */
  readonly changeSettings: (id: string, change: IntegrationSettingsChange, given: AuthorizedChange) => Promise<void>;
  /** The hub crashed because of it and does not start it by itself. */
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
