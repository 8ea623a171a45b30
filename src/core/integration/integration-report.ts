/** People read in the report what an integration does beside reaching devices. */
export type IntegrationReport = {
  /** `null` while it offers nothing. */
  readonly offering: OfferingReport | null;
  /** Devices that it does not take, because they reach the hub through another integration. */
  readonly leftOut: readonly LeftOut[];
  /** The report of an integration that other homes take in. */
  readonly bridge?: BridgeReport;
};

/** Other homes need the codes of a bridge; the fabrics are the homes that have it. */
export type BridgeReport = {
  /** While its window is open. */
  readonly codes: BridgeCodes | null;
  readonly fabrics: readonly BridgeFabric[];
};

/** The number to type and the text of the QR code, and for how long both hold. */
export type BridgeCodes = { readonly manualCode: string; readonly qr: string; readonly remainingS: number };

/** Another home that has taken the bridge in. */
export type BridgeFabric = { readonly id: number; readonly label: string; readonly vendor: string | null };

/** An integration offers this of the hub elsewhere, and got so many commands from there. */
export type OfferingReport = {
  readonly devices: number;
  readonly entities: number;
  /** Devices for which there was no room. */
  readonly leftOut: number;
  /** Commands that were accepted since the start of the integration. */
  readonly commands: number;
  readonly refused: number;
  /** The last fault; of commands only until one is accepted again. */
  readonly error: { readonly code: string; readonly message: string } | null;
};

export type LeftOut = {
  /** `null`: of a kind that the hub has no integration of yet. */
  readonly integration: string | null;
  readonly devices: number;
};
