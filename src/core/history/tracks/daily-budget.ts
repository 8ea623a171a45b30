import { bytesOf, type SampleValue } from '#core/history/sample.ts';

/** Bounds what devices make the hub write in a day: a flood ends in a gap, not in a worn card. */
export type DailyBudget = {
  /** False if the day of its device, or of the script that the device is from, is used up. */
  readonly take: (device: BudgetedDevice, value: SampleValue) => boolean;
};

export type BudgetedDevice = { readonly id: string; readonly integration: string };

export type DailyBudgetDeps = {
  readonly nowMs: () => number;
  /** Any number of devices is one script's for the asking, so they share a budget. */
  readonly isScript: (integration: string) => boolean;
  /** Called once a day for a device whose samples are left out, or for the script whose are, and when the day is over. */
  readonly onPaused: (deviceOrIntegration: string, isPaused: boolean) => void;
  /** In bytes. */
  readonly room?: { readonly device: number; readonly script: number };
};

const DAY_MS = 86_400_000;
/** Thirty numbers a second need 42 MB. */
const ROOM = { device: 48_000_000, script: 64_000_000 };

export function createDailyBudget({ nowMs, isScript, onPaused, room = ROOM }: DailyBudgetDeps): DailyBudget {
  const spent = new Map<string, number>();
  const paused = new Set<string>();
  let today = 0;
  const beginDay = (day: number): void => {
    today = day;
    spent.clear();
    for (const id of paused) onPaused(id, false);
    paused.clear();
  };
  const pause = (id: string): false => {
    if (!paused.has(id)) onPaused(id, true);
    paused.add(id);
    return false;
  };
  return {
    take: ({ id, integration }, value) => {
      const day = Math.floor(nowMs() / DAY_MS);
      if (day !== today) beginDay(day);
      const bytes = bytesOf(value);
      const ofDevice = (spent.get(id) ?? 0) + bytes;
      const script = isScript(integration) ? `script/${integration}` : undefined;
      const ofScript = script === undefined ? 0 : (spent.get(script) ?? 0) + bytes;
      if (ofScript > room.script) return pause(integration);
      if (ofDevice > room.device) return pause(id);
      spent.set(id, ofDevice);
      if (script !== undefined) spent.set(script, ofScript);
      return true;
    },
  };
}
