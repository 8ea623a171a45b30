type Words = {
  readonly between: (from: string, to: string) => string;
  readonly after: (from: string) => string;
  readonly before: (to: string) => string;
};

const FROM = ['{offset_s} {after}', '{after}'];
const TO = ['{before_offset_s} {before}', '{before}'];

/** The ways to say a span between two moments of the sun, each of which may have an offset, or be missing. */
export function sunTimes({ between, after, before }: Words): string {
  const spans = FROM.flatMap((from) => TO.map((to) => between(from, to)));
  return [...spans, ...FROM.map(after), ...TO.map(before)].join('|');
}
