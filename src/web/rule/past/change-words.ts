import { jsonWords } from '#web/rule/sentence/hole-words.ts';
import type { Json } from '#web/rule/sentence/json.ts';
import { titled } from '#web/strings/en/grammar.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { CONDITIONS, STEPS } from '#web/rule/sentence/form.ts';

type Names = Readonly<Record<string, string>>;
const LISTS: Names = ruleWords.parts;

/** `/steps/0/command/set/brightness` → `Then 1: What to set, brightness`. */
export function placeWords(pointer: string): string {
  const [list = '', index, ...rest] = pointer.split('/').slice(1);
  const words = rest
    .filter((name) => !/^\d+$/.test(name) && !isKind(name))
    .map((name) => memberLabel('', name.replaceAll('~1', '/').replaceAll('~0', '~')));
  const top = LISTS[list];
  if (top === undefined) return [memberLabel('definition', list), ...words].join(', ');
  const place = index === undefined ? top : `${top} ${Number(index) + 1}`;
  return words.length === 0 ? place : titled(place, words.join(', '));
}

/** The word of a part says nothing in addition to its place. */
function isKind(name: string): boolean {
  return name in STEPS || name in CONDITIONS;
}

/** One difference between two versions. */
export function changeWords(pointer: string, { from, to }: { readonly from?: unknown; readonly to?: unknown }): string {
  const where = placeWords(pointer);
  if (from === undefined) return rulePageWords.change.added(where, jsonWords(to as Json));
  if (to === undefined) return rulePageWords.change.removed(where, jsonWords(from as Json));
  return rulePageWords.change.changed(where, jsonWords(from as Json), jsonWords(to as Json));
}
