/** The words of the pages of automations. */
export { rulePages as l } from '#web/strings/en/rule/pages.ts';
