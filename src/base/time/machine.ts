import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Clock } from './clock.ts';
import type { Machine } from './hub-clock.ts';
import { errnoOf } from '#base/errno.ts';
import type { Random } from '#base/random.ts';

type MachineDeps = {
  readonly clock: Clock;
  readonly random: Random;
  /** Whether the wall clock is synchronised, as far as that is known at once. */
  readonly isSynced: () => boolean;
};

/** A shorter sleep cannot be distinguished from the coarse steps of the kernel's uptime. */
const SHORTEST_SLEEP_MS = 1_000;

/** This machine. The clock of the process stops while the machine sleeps; the kernel's uptime goes on. */
export function createMachine({ clock, random, isSynced }: MachineDeps): Machine {
  const bootId = readBootId() ?? random(16).toString('hex');
  const offsetNow = (): number => uptime() * 1_000 - clock.monotonicMs();
  let offsetMs = offsetNow();
  const bootMs = (): number => Math.floor(clock.monotonicMs() + offsetMs);
  return {
    bootId,
    bootMs,
    read: () => {
      const seenMs = offsetNow();
      if (seenMs > offsetMs + SHORTEST_SLEEP_MS) offsetMs = seenMs;
      return { bootId, bootMs: bootMs(), wallMs: clock.wallMs(), isSynced: isSynced() };
    },
  };
}

/** The kernel's name for this boot; without one every start of the hub counts as a boot. */
function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    return undefined;
  }
}
