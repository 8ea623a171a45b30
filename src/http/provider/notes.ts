import type { Note } from '#http/note/note.ts';

const providerExample = () => ({
  id: 'weather',
  name: 'Weather station',
  lease_s: 300,
  status: 'connected',
  since: '2026-11-21T04:06:22.000Z',
  error: null,
  devices: 1,
});

const ABOUT =
  'A provider is a script in any language that is an integration: it declares devices, reports what they do and carries out commands. Each call renews its lease. After a silence of `lease_s` seconds the integration has the status `error`, its devices are `offline` with the reason `integration_down`, and commands for them are refused with 503, until the next call.';

export const getProvider: Note = () => ({
  description: ABOUT,
  answerExample: providerExample(),
});

export const setProvider: Note = () => ({
  description: [
    ABOUT,
    'The name in the path has at most 32 of `a-z`, `0-9` and `-` and is the id of the integration; one that another integration has is refused with 409. Make an API token with the scope `device:provide` and this name as its `provider`. What the body leaves out stays as it is; send this call at each start of the script. Without the token the devices stay, offline, until somebody removes them.',
  ].join('\n\n'),
  problems: ['NAME_TAKEN', 'LIMIT_REACHED'],
  bodyExample: { name: 'Weather station', lease_s: 300 },
  answerExample: providerExample(),
});

export const removeProvider: Note = () => ({
  description: 'Its devices return with their ids, names and rooms when the provider does.',
});

export const setProviderDevice: Note = () => ({
  description: [
    'The `external_id` is the address of the device as the script knows it, with at most 128 of `A-Z`, `a-z`, `0-9` and `. _ : @ -`. The same call again changes the device, or nothing if it is as before. A device that the script does not declare any more stays until it is taken away.',
    'With `values` or `occurrences` the call is a report too, and it makes the provider where there is none yet: a sensor needs no other call. 422 for values that do not fit; the device is declared then all the same.',
    'A feature has a `key` and a `capability`. A `capability` that is a word of `GET /api/v1/vocabulary` has its kind, type and unit; what has no word is `x.…` and says its `kind` and `value_type`. At most 2,000 features and 64 KiB for one device, and 5,000 devices.',
  ].join('\n\n'),
  problems: ['INTEGRATION_DOWN', 'LIMIT_REACHED', 'NAME_TAKEN'],
  bodyExample: {
    name: 'Weather station',
    type: 'temperature_sensor',
    features: [
      { key: 'temperature', capability: 'temperature' },
      { key: 'x.gust', capability: 'x.gust', kind: 'state', value_type: 'number', unit: 'm/s', min: 0 },
    ],
    values: { temperature: 11.5 },
  },
  answerExample: {
    id: '0198f1c2-7d6e-7000-8000-000000000021',
    selector: 'weather-station',
    external_id: 'roof',
  },
});

export const removeProviderDevice: Note = () => ({
  description: 'The hub keeps its id, name and room for the case that it is declared again.',
  problems: ['INTEGRATION_DOWN'],
});

export const reportProviderState: Note = () => ({
  description: [
    'At most 1,000 reports and 256 KiB. Each is taken whole or not at all: `refused` names the others with what is wrong, such as a field of the wrong form, an unknown device, an unknown key, or a value that does not fit its feature. If nothing was taken at all, the answer is 422 with what is wrong.',
    'A report without `availability` means that the device is `online`. More than 50 changes of a device in a second are held, and the newest of each value is shown as soon as possible.',
  ].join('\n\n'),
  problems: ['INTEGRATION_DOWN'],
  bodyExample: {
    reports: [{ device: 'roof', values: { temperature: 3.4, 'x.gust': 12 } }],
  },
  answerExample: { taken: 1, refused: [] },
});

export const getProviderCommands: Note = () => ({
  description: [
    'Answers as soon as there is a command, or with none after `wait` seconds. A command has either `set` or `do`, has passed all checks and fits its device. Until the script has answered it, it comes again after 2 s, with the same `id`, until its `deadline` 8 s after it was given: then nobody waits for it any more. A newer command for the same feature takes its place.',
    'One call waits at a time: a newer one ends the older one, which then has no commands.',
  ].join('\n\n'),
  problems: ['INTEGRATION_DOWN', 'TOO_MANY_REQUESTS'],
  answerExample: {
    commands: [{ id: 'k3f9-1', device: 'heater', set: { on: true }, deadline: '2026-11-21T04:06:30.000Z' }],
  },
});

export const answerProviderCommand: Note = () => ({
  wordedId: true,
  description:
    'A command is `confirmed` once the device has reported what was asked for: by the `values` of `done`, or by a report of its state. `done` alone confirms only an action, which has no state. 404: the command was answered before, or is from before a restart of the hub; report the state instead.',
  problems: ['INTEGRATION_DOWN'],
  bodyExample: { status: 'done', values: { on: true } },
});
