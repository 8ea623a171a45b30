import type { Budget } from '#integrations/home-assistant-discovery/python/fault.ts';
import type { ZoneOffset } from '#integrations/home-assistant-discovery/python/moment.ts';
import { compilePattern, type Pattern } from '#integrations/home-assistant-discovery/python/pattern.ts';
import type { Arguments, Value } from '#integrations/home-assistant-discovery/python/value.ts';

/** One rendering, as filters, tests and functions see it. */
export type Run = {
  readonly budget: Budget;
  readonly nowMs: () => number;
  readonly zoneOffset: ZoneOffset;
  /** Patterns that this template has compiled before. */
  readonly patterns: Map<string, Pattern>;
  readonly filter: (name: string, args: Arguments) => Value;
  readonly test: (name: string, args: Arguments) => boolean;
};

const MAX_PATTERNS = 20;

export function patternOf(run: Run, source: string, ignoresCase: boolean): Pattern {
  const key = `${ignoresCase ? 'i' : 's'}${source}`;
  const known = run.patterns.get(key);
  if (known !== undefined) return known;
  const pattern = compilePattern(source, ignoresCase);
  if (run.patterns.size >= MAX_PATTERNS) run.patterns.clear();
  run.patterns.set(key, pattern);
  return pattern;
}
/** A filter or function: with named parameters, or with whatever it was given. */
export type Filter =
  | {
      readonly parameters: readonly string[];
      readonly required: number;
      readonly call: (run: Run, given: readonly (Value | undefined)[]) => Value;
    }
  | { readonly free: (run: Run, args: Arguments) => Value };
