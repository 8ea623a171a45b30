import { counted } from './en-grammar.ts';

/** The words of the exports. */
export const enExporters = {
  title: 'Exports',
  add: 'Add an export',
  addTitle: 'New export',
  intro:
    'The hub sends every recorded change to other machines in your home, and catches up by itself after one was away.',
  empty: 'The history stays on the hub.',
  types: { line_protocol: 'Database (InfluxDB, VictoriaMetrics)', mqtt: 'Broker (MQTT)' },
  type: 'Receiver',
  url: 'Address',
  urlHints: {
    line_protocol: 'Where the database takes writes, with the name of the database.',
    mqtt: 'Where the broker is.',
  },
  urlExamples: { line_protocol: 'http://192.168.1.20:8086/write?db=home', mqtt: 'mqtt://192.168.1.20:1883' },
  name: 'Name (optional)',
  user: 'User (optional)',
  userHint: 'Leave it empty if the receiver needs none, or only a token.',
  password: 'Password',
  passwordOrToken: 'Password or token',
  from: 'Begin',
  starts: { now: 'With what comes from now on', beginning: 'With the whole history' },
  test: 'Test',
  testOne: (name: string) => `Test the export to ${name}`,
  works: 'The receiver answers.',
  fails: (why: string) => `The test failed: ${why}.`,
  added: (name: string) => `The history now goes to ${name}.`,
  remove: 'Remove',
  removeOne: (name: string) => `Remove the export to ${name}`,
  removeTitle: (name: string) => `Remove the export to ${name}?`,
  removeText: 'The receiver keeps what it has. The hub keeps its history.',
  removed: (name: string) => `The export to ${name} was removed.`,
  states: {
    ok: 'Works',
    waiting: 'Nothing was sent since the start',
    failing: 'Fails; the hub tries again',
    off: 'Off',
  },
  because: (why: string, detail: string | null) => (detail === null ? `${why}.` : `${why}: ${detail}`),
  behind: (time: string) => `${time} behind.`,
  upTo: (time: string) => `The receiver has everything up to ${time}.`,
  aside: (count: number) => `${counted(count, 'value', 'values')} left out, because the receiver refuses them.`,
  said: (detail: string) => `It said: ${detail}`,
  lost: (count: number) =>
    `Up to ${counted(count, 'value', 'values')} lost: the history was deleted before the receiver had them.`,
};
