import { commandExample, commandNote } from '#http/command/notes.ts';
import type { Note } from '#http/note/note.ts';

export const getFeatureValue: Note = () => ({
  description:
    'The bare value, or `null` if it is not known. With `wait` the answer comes when the value changes, or with the present value when the wait is over. A feature of kind `event`, such as a button, has no value: the answer is the occurrence, or `null` if there was none. A client can miss an occurrence between two such calls; with `GET /api/v1/event` it misses none. `wait` needs the right `event:read`; HEAD never waits.',
  problems: ['TOO_MANY_REQUESTS', 'OVERLOADED'],
});

export const updateFeature: Note = () => ({
  description:
    'For a feature that the vocabulary has no word for (`x.…`) and whose values are numbers, such as the registers of a smart meter that its owner named: from then on it has this capability, a number in the unit of that word, for the history and the energy page too. Its `key` stays. What was said survives that the device is paired anew. A value from before is gone until the next report.',
  problems: ['LIMIT_REACHED'],
  bodyExample: { capability: 'energy', unit: 'Wh' },
});

export const setFeatureValue: Note = () => ({
  ...commandNote(),
  description: `The body is the bare value. This gives the same command as \`{"set": {key: value}}\` to the device, with the same rights, checks and answer. ${commandNote().description}`,
  bodyExample: true,
  answerExample: commandExample(),
});
