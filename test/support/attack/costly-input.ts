import { createDice } from '#test/support/machine/dice.ts';
import { countSteps } from './work-count.ts';

/*
 * Looks for the input that costs a parser most for each of its bytes, and reports where that is not linear:
 *
 *   const excess = await findExcess({
 *     parse: decodeJson,                          // throws and refuses as it likes
 *     pieces: [text('[1],'), ({ at }) => Buffer.from(`"k${at}":1,`)],
 *     frames: [(body) => Buffer.concat([Buffer.from('['), body, Buffer.from('0]')])],
 *     size: 500,                                  // and twice, four and eight times as much
 *     stepsPerByte: 400,
 *   });
 *   expect(excess).toEqual([]);
 *
 * An input is some runs of pieces, each repeated to fill its share, in a frame. The search tries each piece alone and
 * after each other, then changes the dearest plans (which piece, how much, in which order; one new run in five is of
 * random bytes) and keeps what is dearer. So it can build the same plan at each size. Give it a piece for each thing that
 * the grammar can repeat, nest, or point to; 20 pieces take a second or two, 40 some ten.
 */

export type Place = {
  /** Offset in the body, without the frame. */
  readonly at: number;
  /** Bytes that this run may still fill. */
  readonly left: number;
  /** Where the run started. */
  readonly runAt: number;
};
export type Piece = (place: Place) => Buffer;
export type Frame = (body: Buffer) => Buffer;

export type CostSearch = {
  readonly parse: (bytes: Buffer) => unknown;
  readonly pieces: readonly Piece[];
  readonly frames?: readonly Frame[];
  /** Bytes of the smallest input. */
  readonly size: number;
  /** What a byte may cost at most. */
  readonly stepsPerByte: number;
  /** Changes tried from each start. */
  readonly climbs?: number;
  readonly seed?: number;
};

type Run = { readonly piece: Piece; readonly share: number };
type Plan = { readonly runs: readonly Run[]; readonly frame: Frame };

/** What the dearest input found costs at each size, in steps for each byte. */
type Costs = readonly { readonly bytes: number; readonly stepsPerByte: number; readonly input: Buffer }[];

const STARTS = 4;
const MOST_RUNS = 5;
/** Growth from the smallest to the eight times larger input that still counts as linear: quadratic work gives 8. */
const MAX_GROWTH = 1.5;

export const text = (token: string): Piece => {
  const bytes = Buffer.from(token);
  return () => bytes;
};

/** What is wrong with the dearest input found: it costs more for each byte than it may, or more the longer it is. */
export async function findExcess(search: CostSearch): Promise<readonly string[]> {
  const costs = await findCostly(search);
  const dearest = costs.find(({ stepsPerByte }) => stepsPerByte === greatest(costs));
  const growth = greatest(costs) / (costs[0]?.stepsPerByte ?? 0);
  const lines = costs.map(({ bytes, stepsPerByte }) => `${bytes} bytes: ${stepsPerByte.toFixed(1)} steps a byte`);
  const start = dearest?.input.subarray(0, 160).toString('latin1');
  const report = `${lines.join(', ')}; the dearest starts with ${JSON.stringify(start)}`;
  return [
    ...(greatest(costs) <= search.stepsPerByte ? [] : [`costs too much: ${report}`]),
    ...(growth <= MAX_GROWTH ? [] : [`costs more the longer it is: ${report}`]),
  ];
}

/** The costs of the dearest plan. */
async function findCostly(search: CostSearch): Promise<Costs> {
  const { parse, size, climbs = 40, seed = 20_261_121 } = search;
  const dice = createDice(seed);
  const costAt = async (plan: Plan, bytes: number): Promise<Costs[number]> => {
    const input = build(plan, bytes);
    const steps = await countSteps(() => attempt(parse, input));
    return { bytes: input.length, stepsPerByte: steps / Math.max(1, input.length), input };
  };
  // The first calls build what later calls find, and compile the counters in.
  for (const piece of search.pieces)
    await costAt({ runs: [{ piece, share: 1 }], frame: search.frames?.[0] ?? plain }, size);
  const climbed = async (start: Plan): Promise<Costs> => {
    let best = start;
    let bestCost = (await costAt(best, size * 4)).stepsPerByte;
    for (let attempts = 0; attempts < climbs; attempts += 1) {
      const next = changed(best, search, dice);
      const cost = (await costAt(next, size * 4)).stepsPerByte;
      if (cost >= bestCost) [best, bestCost] = [next, cost];
    }
    const costs = [];
    for (const factor of [1, 2, 4, 8]) costs.push(await costAt(best, size * factor));
    return costs;
  };
  const tried: { plan: Plan; cost: number }[] = [];
  for (const plan of firstPlans(search, dice)) tried.push({ plan, cost: (await costAt(plan, size * 2)).stepsPerByte });
  const starts = tried.toSorted((left, right) => right.cost - left.cost).slice(0, STARTS);
  const found: Costs[] = [];
  for (const { plan } of starts) found.push(await climbed(plan));
  const [dearest = []] = found.toSorted((left, right) => greatest(right) - greatest(left));
  return dearest;
}

function greatest(costs: Costs): number {
  return Math.max(...costs.map(({ stepsPerByte }) => stepsPerByte));
}

/** Each piece alone and after each other, in frames by turns: mostly a pair of pieces costs much, not one alone. */
function firstPlans({ pieces, frames = [plain] }: CostSearch, dice: () => number): readonly Plan[] {
  const alone = pieces.flatMap((piece) => frames.map((frame): Plan => ({ runs: [{ piece, share: 1 }], frame })));
  const pairs = pieces.flatMap((first) =>
    pieces.map((second): Plan => {
      const runs = [first, second].map((piece) => ({ piece, share: 1 }));
      return { runs, frame: pick(frames, dice) };
    }),
  );
  return [...alone, ...pairs];
}

/** A refusal is an answer too. */
async function attempt(parse: (bytes: Buffer) => unknown, input: Buffer): Promise<void> {
  try {
    await parse(input);
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof ReferenceError) throw cause;
  }
}

const plain: Frame = (body) => body;

function build({ runs, frame }: Plan, bytes: number): Buffer {
  const total = runs.reduce((sum, { share }) => sum + share, 0);
  const parts: Buffer[] = [];
  let at = 0;
  for (const { piece, share } of runs) {
    const runAt = at;
    const end = runAt + Math.floor((bytes * share) / total);
    while (at < end) {
      const part = piece({ at, left: end - at, runAt });
      if (part.length === 0 || (part.length > end - at && at > runAt)) break;
      parts.push(part);
      at += part.length;
    }
  }
  return frame(Buffer.concat(parts));
}

function changed(plan: Plan, search: CostSearch, dice: () => number): Plan {
  const runs = [...plan.runs];
  const at = Math.floor(dice() * runs.length);
  const chance = dice();
  const run = runs[at];
  if (run === undefined || (chance < 0.3 && runs.length < MOST_RUNS)) runs.splice(at, 0, randomRun(search, dice));
  else if (chance < 0.45 && runs.length > 1) runs.splice(at, 1);
  else if (chance < 0.65) runs[at] = { ...run, share: shareOf(dice) };
  else if (chance < 0.75) runs.push(...runs.splice(at, 1));
  else if (chance < 0.85) return { runs, frame: pick(search.frames ?? [plain], dice) };
  else runs[at] = randomRun(search, dice);
  return { ...plan, runs };
}

function randomRun({ pieces }: CostSearch, dice: () => number): Run {
  if (dice() > 0.2) return { piece: pick(pieces, dice), share: shareOf(dice) };
  const noise = Buffer.from(Array.from({ length: 1 + Math.floor(dice() * 12) }, () => Math.floor(dice() * 256)));
  return { piece: () => noise, share: shareOf(dice) };
}

/** From next to nothing to most of the input. */
function shareOf(dice: () => number): number {
  return pick([0.001, 0.1, 1, 3, 10], dice);
}

function pick<Item>(items: readonly Item[], dice: () => number): Item {
  const item = items[Math.floor(dice() * items.length)];
  if (item === undefined) throw new RangeError('there is nothing to pick from');
  return item;
}
