import { ruleMembers, ruleWords } from '#web/strings/en/rule/members.ts';

/** The label of a member of a form. */
export function memberLabel(say: string, name: string): string {
  return ruleMembers[`${say}.${name}`] ?? ruleMembers[name] ?? name;
}

/** A word of a member as it stands in the sentence. */
export function memberWord(say: string, name: string, value: string): string {
  return ruleWords[`${say}.${name}`]?.[value] ?? ruleWords[name]?.[value] ?? value;
}
