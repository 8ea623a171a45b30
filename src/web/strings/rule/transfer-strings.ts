/** The words about automations and templates in files. */
export { ruleTransfer as tf } from '#web/strings/en/rule/transfer.ts';
