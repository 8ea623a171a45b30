import { expect, test } from 'vitest';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { createOpenings } from '#core/automation/registry/openings.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { drawSeed, runs } from '#test/support/machine/runs.ts';

type Doc = { readonly opens: boolean; readonly starts: readonly string[] };

function openHome() {
  const docs = new Map<string, Doc>();
  const looks = { count: 0 };
  const definitionOf = (id: AutomationId): Definition | undefined => {
    looks.count += 1;
    const doc = docs.get(id);
    const steps = doc?.starts.map((automation, at) => ({
      automation: { automation, do: at % 2 === 0 ? 'run' : 'enable' },
    }));
    return doc && ({ allow_sensitive: doc.opens ? ['lock'] : [], steps } as unknown as Definition);
  };
  const naming = (id: AutomationId): AutomationId[] =>
    [...docs].flatMap(([name, { starts }]) => (starts.includes(id) ? [name as AutomationId] : []));
  const { opens, forget } = createOpenings({ definitionOf, naming });
  return {
    docs,
    looks,
    opens: (id: string): boolean => opens(id as AutomationId),
    put: (id: string, doc: Doc | undefined): void => {
      if (doc === undefined) docs.delete(id);
      else docs.set(id, doc);
      forget(id as AutomationId);
    },
  };
}

function opensPlainly(docs: ReadonlyMap<string, Doc>, id: string): boolean {
  const seen = new Set([id]);
  for (const one of seen) for (const next of docs.get(one)?.starts ?? []) seen.add(next);
  return [...seen].some((one) => docs.get(one)?.opens === true);
}

test('what opens at the end is known whatever comes, goes and changes in between', () => {
  const dice = createDice(drawSeed());
  const draw = (below: number): number => Math.floor(dice() * below);
  const home = openHome();
  const names = Array.from({ length: 12 }, (_, at) => `a${at}`);
  for (let turn = 0; turn < runs(20_000); turn += 1) {
    const name = names[draw(12)] ?? 'a0';
    const starts = names.filter(() => draw(10) === 0);
    home.put(name, draw(6) === 0 ? undefined : { opens: draw(10) === 0, starts });
    for (const one of names.filter(() => draw(3) === 0)) expect(home.opens(one)).toBe(opensPlainly(home.docs, one));
  }
});

test('a change of one of 500 costs a look at what leads to it, and a second question costs nothing', () => {
  const home = openHome();
  for (let at = 0; at < 500; at += 1)
    home.put(`a${at}`, { opens: false, starts: at % 50 === 49 ? [] : [`a${at + 1}`] });
  for (let at = 0; at < 500; at += 1) expect(home.opens(`a${at}`)).toBe(false);
  home.looks.count = 0;
  for (let at = 0; at < 500; at += 1) home.opens(`a${at}`);
  expect(home.looks.count).toBe(0);
  home.put('a49', { opens: true, starts: [] });
  for (let at = 0; at < 500; at += 1) expect(home.opens(`a${at}`)).toBe(at < 50);
  // Each of the 50 that lead to it was forgotten; the first way through them ends at what opens.
  expect(home.looks.count).toBeLessThan(50 * 50);
});
