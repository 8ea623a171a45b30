import { words } from '#web/strings/language/language.ts';

const en = {
  from: 'From a template',
  title: 'Templates',
  text: 'Choose one, fill in your devices, and it is an automation of yours.',
  all: 'All templates',
  gone: 'Template not found',
  notChosen: 'None',
  optional: 'Not needed',
  yes: 'Yes',
  sentence: 'What it will do',
  missing: (labels: string) => `Fill in: ${labels}.`,
  unfit: 'With these values the hub cannot make it:',
  make: 'Save',
  made: (name: string) => `${name} is saved.`,
  linked: (name: string) => `Made from the template “${name}”.`,
  change: 'Change what is filled in',
  cut: 'Cut loose from the template',
  cutQuestion: 'Cut it loose from the template?',
  cutText: 'It goes on as it is. Newer versions of the template are no longer offered.',
  cutDone: 'It is an automation of its own now.',
  newer: 'The template has a newer version. With it, this would change:',
  drifted: 'Saving this puts the template in the place of what it does now. This would change:',
  same: 'Nothing would change in what it does.',
  take: 'Take the newer version',
  taken: (name: string) => `${name} is up to date.`,
};

/** The words about templates of automations. */
export const tw = words('ruleTemplates', en);
