import type { Runtime } from '#base/time/runtime.ts';
import type { AuthorizedTerms } from '#core/records/change-terms.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { ProviderDoor } from '#core/provider/provider.ts';
import type { ShownProvider } from './json.ts';

export type ProviderDirectory = {
  readonly find: (name: string) => ShownProvider | undefined;
  /**
   * Makes the provider, or changes what is named. Resolves once it is on disk and runs. Throws HubError NAME_TAKEN,
   * LIMIT_REACHED, and what `authorize` throws.
   */
  readonly put: (name: string, change: ProviderChange, terms: AuthorizedTerms) => Promise<void>;
  /** Removes it and hides its devices. Throws HubError NOT_FOUND, and what `authorize` throws. */
  readonly remove: (name: string, terms: AuthorizedTerms) => Promise<void>;
  /** Throws HubError NOT_FOUND, and INTEGRATION_DOWN while it does not run. */
  readonly doorOf: (name: string) => ProviderDoor;
};

type ProviderChange = { readonly name?: string | undefined; readonly leaseS?: number | undefined };

export type ProviderRoutesDeps = Pick<Runtime, 'startTimer' | 'monotonicMs' | 'wallMs'> & {
  readonly providers: ProviderDirectory;
  readonly registry: Pick<DeviceRegistry, 'findByExternalId' | 'hasRoomFor'>;
};
