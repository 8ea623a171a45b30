import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';

const variableExample = () => ({
  key: 'bedtime',
  name: 'Bedtime',
  type: 'time',
  value: '22:30',
  min: null,
  max: null,
  options: [],
  changed_at: '2026-11-21T04:06:22.000Z',
  changed_by: { type: 'session', id: '0198f1c2-7d6e-7000-8000-000000000020' },
  revision: 2,
});

export const listVariables: Note = () => ({ ...LIST_HEADERS, answerExample: [variableExample()] });

export const getVariable: Note = () => ({ ...READ_HEADERS, answerExample: variableExample() });

export const setVariable: Note = () => ({
  ...CHANGE_HEADERS,
  bodyExample: { value: '22:30' },
  answerExample: variableExample(),
});

export const createVariable: Note = () => ({
  answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
  problems: ['LIMIT_REACHED', 'NAME_TAKEN'],
  bodyExample: { key: 'bedtime', name: 'Bedtime', type: 'time', value: '22:00' },
  answerExample: { ...variableExample(), value: '22:00', changed_by: null, revision: 1 },
});

export const updateVariable: Note = () => ({
  ...CHANGE_HEADERS,
  description: 'Its key and type never change, and its present value must fit.',
  bodyExample: { name: 'Time for bed' },
  answerExample: { ...variableExample(), name: 'Time for bed', revision: 3 },
});

export const removeVariable: Note = () => ({ requestHeaders: ['If-Match'] });
