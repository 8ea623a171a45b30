/** The words of the editor of automations. */
export { ruleEditor as e } from '#web/strings/en/rule/editor.ts';
