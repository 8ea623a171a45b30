/** The words of what an automation would do. */
export { ruleDry as dry } from '#web/strings/en/rule/dry.ts';
