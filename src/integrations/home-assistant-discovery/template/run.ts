import type { Budget } from '#integrations/home-assistant-discovery/python/fault.ts';
import type { ZoneOffset } from '#integrations/home-assistant-discovery/python/moment.ts';
import type { Arguments, Value } from '#integrations/home-assistant-discovery/python/value.ts';

/** One rendering, as filters, tests and functions see it. */
export type Run = {
  readonly budget: Budget;
  readonly nowMs: () => number;
  readonly zoneOffset: ZoneOffset;
  readonly filter: (name: string, args: Arguments) => Value;
  readonly test: (name: string, args: Arguments) => boolean;
};

/** A filter or function: with named parameters, or with whatever it was given. */
export type Filter =
  | {
      readonly parameters: readonly string[];
      readonly required: number;
      readonly call: (run: Run, given: readonly (Value | undefined)[]) => Value;
    }
  | { readonly free: (run: Run, args: Arguments) => Value };
