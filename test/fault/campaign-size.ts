import { randomInt } from 'node:crypto';

/** How much of a campaign to run: what CI can pay, or more by the environment variable. */
export function sizeOf(variable: 'FAULT_POINTS' | 'FAULT_KILLS' | 'FAULT_CODES', usual: number): number {
  const asked = process.env[variable];
  return asked === undefined ? usual : Number(asked);
}

/** A new seed each time, so that each run looks elsewhere; `FAULT_SEED` repeats one. */
export function drawSeed(): number {
  const asked = process.env['FAULT_SEED'];
  return asked === undefined ? randomInt(2 ** 31) : Number(asked);
}
