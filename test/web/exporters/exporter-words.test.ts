import { expect, test } from 'vitest';
import { filterWords, nameOf, statusWords } from '#web/exporters/exporter-words.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const WELL = {
  status: 'ok',
  error: null,
  failing_since: null,
  acked_at: null,
  behind_s: 0,
  set_aside: [],
  set_aside_count: 0,
  lost_samples: 0,
} as const;
const REFUSED = {
  code: 'sample_refused',
  message: hubText('the receiver answered 400'),
  detail: hubText('field type conflict'),
  reason: { id: 'sample_refused', with: { status: 400 } },
};

test('an export has its name, or where it goes', () => {
  expect(nameOf({ name: 'Influx', url: 'http://a/', broker: null })).toBe('Influx');
  expect(nameOf({ name: null, url: 'http://a/', broker: null })).toBe('http://a/');
  expect(nameOf({ name: null, url: null, broker: 'mqtt' })).toBe('mqtt');
});

test.each<[string, Parameters<typeof statusWords>[0], readonly unknown[]]>([
  ['works', WELL, ['Works']],
  ['is a little behind', { ...WELL, behind_s: 59 }, ['Works']],
  ['catches up', { ...WELL, behind_s: 7_200 }, ['Works', expect.stringMatching(/^2 .*behind\.$/)]],
  ['has sent nothing yet', { ...WELL, status: 'waiting', behind_s: null }, ['Nothing was sent since the start']],
  [
    'fails',
    {
      ...WELL,
      status: 'failing',
      error: {
        code: 'bad_status',
        message: hubText('the receiver answered 404'),
        detail: hubText('no db'),
        reason: { id: 'bad_status', with: { status: 404 } },
      },
    },
    ['Fails; the hub tries again', 'the receiver answered 404: no db'],
  ],
  ['is off', { ...WELL, status: 'off', behind_s: 7_200 }, ['Off']],
  [
    'leaves out values',
    { ...WELL, set_aside_count: 2, set_aside: [{ series: 'a/b', at: '', value: 1, error: REFUSED }] },
    ['Works', '2 values left out, because the receiver refuses them.', 'It said: field type conflict'],
  ],
  ['has lost some', { ...WELL, lost_samples: 1 }, ['Works', expect.stringContaining('Up to 1 value lost')]],
])('an export that %s says so', (_what, exporter, words) => {
  expect(statusWords(exporter)).toEqual(words);
});

test('an export says which part of the history it sends', () => {
  expect(filterWords({ series: { rooms: null, devices: null, keys: null } })).toEqual([]);
  expect(filterWords({ series: { rooms: ['a'], devices: null, keys: ['power', 'energy'] } })).toEqual([
    'Only of: 1 room, 2 features.',
  ]);
});
