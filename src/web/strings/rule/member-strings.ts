import { ruleMembers as memberLabels, ruleWords as memberWords } from '#web/strings/en/rule/members.ts';

export { memberLabels, memberWords };

/** The label of a member of a form. */
export function memberLabel(say: string, name: string): string {
  return memberLabels[`${say}.${name}`] ?? memberLabels[name] ?? name;
}

/** A word of a member as it stands in the sentence. */
export function memberWord(say: string, name: string, value: string): string {
  return memberWords[`${say}.${name}`]?.[value] ?? memberWords[name]?.[value] ?? value;
}
