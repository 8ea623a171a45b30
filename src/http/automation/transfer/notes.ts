import type { Note } from '#http/note/note.ts';
import { BUNDLE_FORMAT } from './json.ts';

const LAMP = {
  id: '0198f1c2-7d6e-7000-8000-000000000020',
  selector: 'kitchen-ceiling',
  name: 'Kitchen ceiling',
  integration: 'simulated-home',
  external_id: 'kitchen-ceiling',
};
const STEPS = [{ id: 's1', command: { targets: { devices: [LAMP] }, set: { on: false } } }];
const TRIGGERS = [{ id: 't1', type: 'time', at: '23:00' }];
const foreignExample = () => ({ kind: 'device', ...LAMP });

export const exportAutomations: Note = () => ({
  problems: ['NOT_FOUND', 'LIMIT_REACHED'],
  description:
    'Needs the right `automation:read` too. All automations, or the one that is named. What each references is shown with its id, selector and name, devices also with where they come from. Templates, versions, runs and secrets of hooks are not in it. It is no larger than what the import takes (4 MiB): of more, `LIMIT_REACHED` says to export them one by one.',
  answerExample: {
    format: BUNDLE_FORMAT,
    exported_at: '2026-11-22T19:30:00.000Z',
    automations: [
      {
        id: '0198f1c2-7d6e-7000-8000-000000000060',
        selector: 'dark-at-night',
        name: 'Dark at night',
        description: '',
        room: null,
        labels: [],
        mode: { kind: 'single', max: 1 },
        yield_to_hand_s: 0,
        release_on_mode: false,
        durable: 'auto',
        on_broken: 'stop',
        limits: 'usual',
        allow_sensitive: [],
        variables: {},
        triggers: TRIGGERS,
        conditions: [],
        steps: STEPS,
      },
    ],
  },
});

export const importAutomations: Note = () => ({
  description:
    'Takes what the export gave, here or on another hub. Each automation is added as a new one that is disabled, and acts with the rights of the caller once somebody enables it. What it names is found by id, by where a device comes from, by selector, or by a name that only one device has; `map` decides otherwise, and has nothing else. If anything is not found, or wrong, nothing is imported: `INVALID_IMPORT` has a pointer to each. With `dry_run` nothing is kept, and the answer says what would be made, found and missed.',
  problems: ['INVALID_IMPORT', 'LIMIT_REACHED', 'RIGHTS_MISSING', 'SENSITIVE_NOT_NAMED', 'SENSITIVE_NEEDS_CONDITION'],
  bodyExample: {
    format: BUNDLE_FORMAT,
    automations: [{ name: 'Dark at night', triggers: TRIGGERS, steps: STEPS }],
  },
  answerExample: {
    automations: [
      {
        id: '0198f1c2-7d6e-7000-8000-000000000061',
        selector: 'dark-at-night',
        name: 'Dark at night',
        warnings: [],
      },
    ],
    matched: [
      {
        ...foreignExample(),
        target: { id: '0198f1c2-7d6e-7000-8000-000000000021', selector: 'kitchen-ceiling', name: 'Kitchen ceiling' },
        by: 'origin',
      },
    ],
    unresolved: [],
    rights_lost: [],
  },
});
