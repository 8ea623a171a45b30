import { type Note, TAG_HEADERS } from '#http/note/note.ts';

export const createExporter: Note = () => ({
  ...TAG_HEADERS.made,
  description: [
    'The hub sends every sample of the history to the receiver, in the order in which they came, and goes on where the receiver stopped taking them: after a restart, after a week of absence, for a new receiver from the beginning. A receiver gets each sample once or more. Only what the history forgets before is lost: then there is `exporter.gap`. The presence of a person is sent only if `series.keys` has the id of that person.',
    '`line_protocol` writes `hearthd_feature,device=…,key=…,room=…,unit=… value=21.4 <ms>` over HTTP, as InfluxDB, VictoriaMetrics and Telegraf take it: the URL is theirs, with `?db=` or `?org=&bucket=` where they need it. Numbers are in the field `value`, booleans in `state`, texts in `text`; `gap="offline"` is the beginning of a time in which nothing is known. Line feeds in texts become `\\n`. VictoriaMetrics stores numbers only: 0 for a text or a gap.',
    '`mqtt` publishes `hearthd/<device>/<key>`, retained, with the value as JSON; `null` is the beginning of a gap.',
    'A receiver that answers 400, 413 or 422 refuses samples: the hub sends half of them until it has found the bad one, sets that aside (`set_aside`) and goes on. After every other failure it tries again, with pauses from one second to five minutes. There is one request at a time, of at most 5,000 samples or 1 MiB, and at most 2,000 samples a second.',
    'Receivers are on the local network. Only an owner can set a URL that leads to the machine of the hub: for other callers the answer is 422. Only an owner sees why a connection failed and what a receiver answered.',
  ].join('\n\n'),

  bodyExample: { type: 'line_protocol', url: 'http://192.168.1.20:8086/write?db=home', from: 'beginning' },
  problems: ['LIMIT_REACHED'],
});

export const updateExporter: Note = () => ({
  ...TAG_HEADERS.change,
  description: 'A URL takes the broker away, and a broker the URL. The type stays.',
  bodyExample: { enabled: false },
});

export const testExporter: Note = () => ({
  description:
    'Sends one point that is no sample: `hearthd_test value=1` in line protocol; in MQTT an empty retained message under `hearthd/test`, which leaves none behind.',
});

export const replayExporter: Note = () => ({
  isInternal: true,
  description:
    'Sends the history from there on again. Receivers of the line protocol keep one value for each time, so nothing is doubled there. What was set aside is tried again too.',
  bodyExample: { from: 'beginning' },
});

export const removeExporter: Note = () => TAG_HEADERS.remove;

export const getExporter: Note = () => TAG_HEADERS.read;
