import type { HourAccount } from './hour-account.ts';
import type { StoredEnergySettings } from './settings.ts';
import type { PriceSlot } from './tariff.ts';

/** Keeps what is set and what was settled. A resolved promise means: on disk, safe from a power cut. */
export type EnergyStore = {
  /** `null` before they are set for the first time. */
  readonly loadEnergySettings: () => Promise<StoredEnergySettings | null>;
  readonly saveEnergySettings: (settings: StoredEnergySettings) => Promise<void>;
  /** The settled hours with `fromMs <= atMs < toMs` in order; at most 800, so ask for a month at a time. */
  readonly loadEnergyHours: (fromMs: number, toMs: number) => Promise<readonly HourAccount[]>;
  /** One account of all of them; `null` if there are none. What was deleted of them is not said. */
  readonly sumEnergyHours: (fromMs: number, toMs: number) => Promise<HourAccount | null>;
  /** Inserts or replaces them, all in one transaction. */
  readonly saveEnergyHours: (hours: readonly HourAccount[]) => Promise<void>;
  /** Replaces them, and overwrites what they had before. */
  readonly saveEmptiedHours: (hours: readonly HourAccount[]) => Promise<void>;
  readonly forgetEnergyHours: (fromMs: number) => Promise<void>;
  /** When the first settled hour begins and the last one ends; `null` if there are none. */
  readonly readSettledRange: () => Promise<SettledRange | null>;
  /** All slots, by tariff and in the order of their times. */
  readonly loadEnergyPrices: () => Promise<ReadonlyMap<string, readonly PriceSlot[]>>;
  readonly saveEnergyPrices: (tariff: string, change: SlotChange) => Promise<void>;
};

/** Slots that go, and those that come in one transaction with it. */
export type SlotChange = { readonly removed: readonly PriceSlot[]; readonly added: readonly PriceSlot[] };

export type SettledRange = { readonly fromMs: number; readonly toMs: number };
