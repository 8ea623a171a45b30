import type { HistoryGap } from '#web/client/api.ts';
import { counted } from './en-grammar.ts';
import type { Translation } from './strings.ts';

const en = {
  title: 'History',
  span: 'Time shown',
  spans: { hours: '6 hours', day: 'Day', week: 'Week', month: 'Month' },
  view: 'Show as',
  chart: 'Charts',
  table: 'Tables',
  download: 'Download CSV',
  downloading: 'Preparing the file…',
  more: (count: number) => `Show ${counted(count, 'more chart', 'more charts')}`,
  empty: 'Nothing recorded yet.',
  allUnknown: (why: string) => `Nothing is known of this time: ${why}.`,
  old: 'This is how it was when the hub last answered.',
  paused: 'Recording is paused: the hub’s disk is full. Free some space, and recording goes on by itself.',
  extremes: (min: string, max: string) => `Lowest ${min}, highest ${max}`,
  now: (value: string) => `Now ${value}`,
  lineLabel: (name: string) => `${name}: look at a moment`,
  at: (value: string, from: string, to: string) => `${value}, from ${from} to ${to}`,
  unknown: 'Not known',
  unknownWhy: (why: string) => `Not known: ${why}`,
  tableLabel: (name: string) => `History of ${name}`,
  columns: { from: 'From', to: 'To', value: 'Value' },
  gaps: {
    offline: 'the device was offline',
    stale: 'the device was silent for too long',
    hub_off: 'the hub was off',
    clock_unset: 'the hub’s clock was not set',
    paused: 'the hub’s disk was full',
    lost: 'the record was damaged',
    not_recorded: 'recording was turned off',
    deleted: 'this time was deleted',
  } satisfies Readonly<Record<HistoryGap['reason'], string>>,
  zone: (zone: string) => `Times are in the time zone of the hub, ${zone}.`,
};

/** The words of charts. They are apart from the others because the first page does not load them. */
export const h: Translation<typeof en> = en;
