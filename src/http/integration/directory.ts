import { requireThing } from '#base/hub-error.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';
import type { IntegrationReport } from '#core/integration/integration-report.ts';
import type { PairingState } from '#core/integration/pairing.ts';
import type { InstanceChange, NewInstance, ShownInstance } from '#core/integration/instance.ts';

/** These calls need so much of the integrations. */
export type IntegrationDirectory = {
  /** In the order in which they were added. */
  readonly list: () => readonly ShownInstance[];
  readonly find: (id: string) => ShownInstance | undefined;
  readonly stateOf: (id: string) => IntegrationOutlook;
  /** On disk and in use when it resolves; the status shows whether it works. Throws what the change may not have. */
  readonly add: (wanted: NewInstance, terms: InstanceTerms) => Promise<{ readonly id: string }>;
  readonly change: (id: string, change: InstanceChange, terms: InstanceTerms) => Promise<void>;
  /** Throws what `change` would throw now, and changes nothing. */
  readonly check: (id: string, change: InstanceChange, terms: InstanceTerms) => void;
  /**
   * Devices with keys of this home give them back first. Throws DEVICE_OFFLINE and INTEGRATION_DOWN where some keep them,
   * unless it `isForced`.
   */
  readonly remove: (
    id: string,
    devices: 'keep' | 'remove',
    terms: InstanceTerms & { readonly isForced: boolean },
  ) => Promise<void>;
  /** `undefined` if it has no pairing or does not run. */
  readonly findPairing: (id: string) => Pairing | undefined;
  /** Takes another home's hold of the integration away. Throws NOT_FOUND, NOT_SUPPORTED and INTEGRATION_DOWN. */
  readonly removeFabric: (id: string, fabric: number) => Promise<void>;
  /** The hub crashed because of it and does not start it by itself. */
  readonly isInSafeMode: (id: string) => boolean;
  /** Starts it again. Throws what `authorize` throws. */
  readonly endSafeMode: (id: string, terms: Pick<InstanceTerms, 'authorize'>) => Promise<void>;
};

export type Pairing = {
  readonly open: (seconds: number) => Promise<void>;
  readonly state: () => PairingState;
  /** Takes in the device with this code, and returns for how many seconds it tries. Absent if devices have none. */
  readonly byCode?: (code: string) => Promise<number>;
  /** Whether other homes take in the integration: they may then use what it offers. */
  readonly isOfBridge: boolean;
};

export type InstanceTerms = {
  /** Throws once the caller may not do this any more. */
  readonly authorize: () => void;
  /** Only an owner may have the hub speak to its own machine. */
  readonly mayReachHub: boolean;
  readonly userId: string;
};

type IntegrationOutlook = {
  readonly status: IntegrationStatus;
  readonly devices: number;
  /** Whether it can let new devices join, while it is connected. */
  readonly canPair: boolean;
  /** Whether they join by a code. */
  readonly pairsByCode: boolean;
  /** The report of one that runs, if it does more than reach devices. */
  readonly report: IntegrationReport | null;
};

/** The integration of this id. Throws NOT_FOUND. */
export function findOrRefuse({ find }: IntegrationDirectory, id: string): ShownInstance {
  return requireThing(find(id), 'integration');
}
