/** The words that all sentences of automations have. */
export { rule as r } from '#web/strings/en/rule/rule.ts';
