import type { Member } from '#web/rule/sentence/form.ts';
import type { Hole } from '#web/rule/sentence/hole.ts';
import { memberWord } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { useEditing } from '#web/rule/editor/editing.ts';
import type { Option } from '#web/rule/editor/rule-home.ts';
import { PickList } from './pick-list.tsx';
import { isFit } from './settled.ts';

type Props = {
  readonly label: string;
  readonly member: Extract<Member, { readonly kind: 'reference' }>;
  readonly hole: Hole;
  readonly chosen: readonly string[];
  readonly onChosen: (chosen: readonly string[]) => void;
  readonly isMany?: boolean;
};

/** Devices, rooms, scenes, people or modes of the home: those that fit the sentence, and all that are chosen. */
export function ReferencePicker({ label, member: { to, words }, hole, chosen, onChosen, isMany = false }: Props) {
  const { home } = useEditing();
  const offered = [
    ...words.map((word): Option => ({ value: word, words: memberWord(hole.say, hole.name, word) })),
    ...home.options(to, (look) => isFit(hole.say, look)),
  ];
  const known = new Set(offered.map(({ value }) => value));
  const gone = chosen.filter((one) => one !== '' && !known.has(one));
  const options = [
    ...gone.map((one): Option => ({ value: one, words: home.nameOf(to, one) ?? ruleWords.gone(one) })),
    ...offered,
  ];
  return (
    <PickList label={label} name={hole.pointer} options={options} chosen={chosen} onChosen={onChosen} isMany={isMany} />
  );
}
