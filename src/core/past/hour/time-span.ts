/** From `fromMs` on, up to but without `toMs`. */
export type TimeSpan = { readonly fromMs: number; readonly toMs: number };

/** The parts of spans that are outside of another one. */
export function without(spans: readonly TimeSpan[], { fromMs, toMs }: TimeSpan): readonly TimeSpan[] {
  return spans.flatMap((span) =>
    [
      { fromMs: span.fromMs, toMs: Math.min(span.toMs, fromMs) },
      { fromMs: Math.max(span.fromMs, toMs), toMs: span.toMs },
    ].filter((part) => part.fromMs < part.toMs),
  );
}
