export type BudgetedDevice = { readonly id: string; readonly integration: string };

export const BUDGET_KINDS = ['device', 'integration'] as const;

/** Whose bytes are counted together. */
export type BudgetSubject = { readonly kind: (typeof BUDGET_KINDS)[number]; readonly id: string };

export type KnowsScripts = { readonly isScript: (integration: string) => boolean };

/** Bounds the bytes of a time, such as a day. */
export type Budget = {
  /** Whether another time has begun, with all of its room. */
  readonly begin: (nowMs: number) => boolean;
  /** Whose room these bytes are too many for. */
  readonly findFull: (device: BudgetedDevice, bytes: number) => BudgetSubject | undefined;
  readonly add: (device: BudgetedDevice, bytes: number) => void;
};

/** The device itself, and where it is from. */
export function subjectsOf({ id, integration }: BudgetedDevice): readonly [BudgetSubject, BudgetSubject] {
  return [
    { kind: 'device', id },
    { kind: 'integration', id: integration },
  ];
}

/** Bytes by device and by integration. */
export function createByteCounts() {
  const counts = { device: new Map<string, number>(), integration: new Map<string, number>() };
  let inAll = 0;
  const of = ({ kind, id }: BudgetSubject): number => counts[kind].get(id) ?? 0;
  return {
    of,
    inAll: (): number => inAll,
    add: (device: BudgetedDevice, bytes: number): void => {
      for (const subject of subjectsOf(device)) counts[subject.kind].set(subject.id, of(subject) + bytes);
      inAll += bytes;
    },
    clear: (): void => {
      counts.device.clear();
      counts.integration.clear();
      inAll = 0;
    },
  };
}
