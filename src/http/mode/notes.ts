import { CHANGE_HEADERS, LIST_HEADERS, type Note, READ_HEADERS } from '#http/note/note.ts';

const modeExample = () => ({
  key: 'home',
  name: 'Home',
  values: ['home', 'away', 'night', 'vacation'],
  value_names: {},
  value: 'away',
  changed_at: '2026-11-21T04:06:22.000Z',
  changed_by: { type: 'session', id: '0198f1c2-7d6e-7000-8000-000000000020' },
  until: '2026-11-23T18:00:00.000Z',
  next: 'home',
  revision: 4,
});

export const listModes: Note = () => ({
  ...LIST_HEADERS,
  description: 'The mode `home` is in every hub.',
  answerExample: [modeExample()],
});

export const getMode: Note = () => ({ ...READ_HEADERS, answerExample: modeExample() });

export const setMode: Note = () => ({
  ...CHANGE_HEADERS,
  description:
    'Takes what `GET` gives as well; the same again changes nothing. With `until` or `for_s` the value ends at that time, and the one from before follows, or the one in `next`. A value whose time was over while the hub was off ends when the hub starts.',
  problems: ['CLOCK_NOT_SET'],
  bodyExample: { value: 'away', for_s: 10_800 },
  answerExample: modeExample(),
});

export const createMode: Note = () => ({
  answerHeaders: { 201: ['ETag', 'Event-Cursor', 'Location'] },
  problems: ['LIMIT_REACHED', 'NAME_TAKEN'],
  bodyExample: {
    key: 'heating',
    name: 'Heating',
    values: ['summer', 'winter'],
    value_names: { summer: 'Sommer', winter: 'Winter' },
  },
  answerExample: {
    ...modeExample(),
    key: 'heating',
    name: 'Heating',
    values: ['summer', 'winter'],
    value_names: { summer: 'Sommer', winter: 'Winter' },
    value: 'summer',
    changed_at: null,
    changed_by: null,
    until: null,
    next: null,
    revision: 1,
  },
});

export const updateMode: Note = () => ({
  ...CHANGE_HEADERS,
  description: 'The present value, the one that follows it, and those of `home` must stay.',
  bodyExample: {
    values: ['home', 'away', 'night', 'vacation', 'gaste_party'],
    value_names: { gaste_party: 'Gäste & Party' },
  },
  answerExample: {
    ...modeExample(),
    values: ['home', 'away', 'night', 'vacation', 'gaste_party'],
    value_names: { gaste_party: 'Gäste & Party' },
  },
});

export const removeMode: Note = () => ({ requestHeaders: ['If-Match'], problems: ['NOT_SUPPORTED'] });
