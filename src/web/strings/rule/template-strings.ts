/** The words about templates of automations. */
export { ruleTemplates as tw } from '#web/strings/en/rule/templates.ts';
