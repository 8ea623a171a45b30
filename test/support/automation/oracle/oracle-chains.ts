/*
 * What automations that start one another may move, written without the code of the hub. Each has a signal that starts
 * it; a link of another one gives that signal, or runs or enables it by name.
 */

export type Link = {
  /** `enable`: it is disabled before, and gets its signal once it is enabled. */
  readonly how: 'run' | 'enable' | 'signal';
  /** The place of the automation. */
  readonly to: number;
};

export type Linked<Moved> = {
  /** Signed with an API token that may move nothing sensitive: all that it leads to is led to by that token. */
  readonly isTainted: boolean;
  readonly links: readonly Link[];
  /** It starts when this one has ended too. */
  readonly follows: number | null;
  readonly moves: Moved | null;
};

/** Whether one moves something sensitive at the end: itself, or by what its steps run or enable. */
export function opensAtEnd(
  all: readonly { readonly opens: boolean; readonly starts: readonly number[] }[],
  from: number,
): boolean {
  const isOpening = all.map(({ opens }) => opens);
  // As many rounds as the longest way has links.
  for (const _ of all)
    for (const [at, { starts }] of all.entries()) if (starts.some((to) => isOpening[to] === true)) isOpening[at] = true;
  return isOpening[from] === true;
}

/** How an automation may be reached: surely and without such a token, perhaps without one, perhaps with one. */
type Reached = { surely: boolean; cleanly: boolean; tainted: boolean };

/**
 * What must move, and what may, after somebody started one of them. The others have each a later place than those that
 * link to them, so that one way through is enough.
 */
export function movesOf<Moved>(
  all: readonly Linked<Moved>[],
  root: number,
  isByToken: boolean,
): { readonly must: ReadonlySet<Moved>; readonly may: ReadonlySet<Moved> } {
  const reached = all.map((): Reached => ({ surely: false, cleanly: false, tainted: false }));
  const signals = all.map((): Reached[] => []);
  const first = reached[root];
  if (first === undefined) throw new Error(`there is no automation ${root}`);
  Object.assign(first, isByToken ? { tainted: true } : { surely: true, cleanly: true });
  const must = new Set<Moved>();
  const may = new Set<Moved>();
  const opens = all.map((_, at) => opensAtEnd(all.map(plain), at));
  for (const [at, { isTainted, links, moves, follows }] of all.entries()) {
    const own = reached[at] ?? { surely: false, cleanly: false, tainted: false };
    const before = follows === null ? undefined : reached[follows];
    if (before !== undefined && at !== root) signals[at]?.push(givenBy(before, all[follows ?? 0]?.isTainted === true));
    // A signal is given once: whose it is, is sure only if all who may give it are alike.
    const given = signals[at] ?? [];
    own.cleanly ||= given.some(({ cleanly }) => cleanly);
    own.surely ||= given.some(({ surely }) => surely) && !given.some(({ tainted }) => tainted);
    own.tainted ||= given.some(({ tainted }) => tainted);
    if (moves !== null && own.cleanly && !isTainted) may.add(moves);
    if (moves !== null && own.surely && !isTainted) must.add(moves);
    const out = givenBy(own, isTainted);
    for (const { how, to } of links) {
      // A start by name of what opens is refused where such a token led to it.
      const passes = how === 'signal' || opens[to] !== true ? out : { ...out, tainted: false };
      // A signal that came before it was enabled starts nothing, and does not come again.
      if (how !== 'run') signals[to]?.push(how === 'signal' ? passes : out);
      else merge(reached[to], passes);
    }
  }
  return { must, may };
}

function merge(target: Reached | undefined, more: Reached): void {
  if (target === undefined) return;
  target.cleanly ||= more.cleanly;
  target.surely ||= more.surely;
  target.tainted ||= more.tainted;
}

function plain<Moved>({ moves, links }: Linked<Moved>) {
  return { opens: moves !== null, starts: links.filter(({ how }) => how !== 'signal').map(({ to }) => to) };
}

function givenBy(own: Reached, isTainted: boolean): Reached {
  if (!isTainted) return own;
  return { surely: false, cleanly: false, tainted: own.surely || own.cleanly || own.tainted };
}
