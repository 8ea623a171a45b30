import { counted, lengthWords } from '#web/strings/en/grammar.ts';

type Words = Readonly<Record<string, string>>;

export const ruleDry = {
  title: 'What it would do now',
  text: 'As it is saved, with your home as it is at this moment. Nothing of it has happened.',
  refused: 'It would not start at the moment, because it is switched off. If it were on:',
  refusedFor: (why: string) => `It would not start at the moment. ${why} If it could:`,
  would: 'It would do all of it.',
  nothing: 'It would end without doing anything.',
  notAll: (count: number) => `It would do it, but not ${counted(count, 'thing', 'things')}:`,
  outcomes: {
    not_met: 'It would do nothing: a condition does not hold now.',
    skipped: 'It would not start.',
    failed: 'It would fail.',
    stopped: 'It would stop.',
  } as Words,
  because: (what: string, why: string) => `${what.slice(0, -1)}: ${why}.`,
  waits: 'It would wait for something that has not happened yet.',
  atOnce: 'at once',
  after: (ms: number) => `after ${lengthWords(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000))}`,
  target: (device: string, what: string) => (what === '' ? device : `${device}: ${what}`),
  notNow: (device: string, why: string) => `${device}: not now. ${why}`,
  notSent: (why: string) => `Nothing of this would be sent. ${why}`,
  kinds: {
    notify: 'a message would go out',
    request: 'the other program would be called',
    set_mode: 'the mode would be set',
    set_variable: 'the variable would be set',
    note_presence: 'it would be noted',
    enable: 'it would be switched on',
    disable: 'it would be switched off',
  } as Words,
  notDone: (why: string) => `This would not be done. ${why}`,
  leftOut: 'would be left out',
  reason: (what: string, why: string) => `${what}: ${why}`,
};
