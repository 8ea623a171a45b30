import { counted } from '#web/strings/en/grammar.ts';

export const ruleTransfer = {
  title: 'Import automations',
  link: 'Import from a file',
  text: 'A file with automations or with a template, as this hub or another exported it. You see what is in it before anything is kept.',
  file: 'File',
  fileFaults: {
    large: 'The file is larger than 4 MiB: no hub takes that much at once.',
    no_json: 'The file is no JSON.',
    unknown: 'The file has neither automations nor a template in it.',
  },
  faults: 'The hub does not take this file. What is wrong, and where in the file:',
  inFile: (count: number) => `${counted(count, 'automation', 'automations')} in the file`,
  insteadOf: (name: string) => `Not in this home: ${name}. Take instead`,
  notChosen: 'Not chosen yet',
  matched: 'Found in this home:',
  offAtFirst: 'They are off until you switch them on. Then they may do what you may do.',
  take: 'Import',
  taking: 'Importing…',
  taken: (count: number) => `${counted(count, 'automation', 'automations')} imported, off for now.`,
  templateDoes: (steps: string) => `What it may do: ${steps}.`,
  templateAsks: (inputs: string) => `What it asks for: ${inputs}.`,
  takeTemplate: 'Add to the templates',
  templateTaken: (name: string) => `${name} is among the templates now.`,
  exportOne: 'Export as a file',
  exportAll: 'Export all',
  exporting: 'Preparing the file…',
};
