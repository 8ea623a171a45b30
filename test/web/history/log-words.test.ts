import { expect, test } from 'vitest';
import type { Device, TimelineLine } from '#web/client/api.ts';
import { logLines } from '#web/history/log-words.ts';

const FEATURE = { key: 'on', name: 'On', capability: 'on', unit: null, step: null };
const DEVICE = { features: [FEATURE, { ...FEATURE, key: 'button', name: 'Button', capability: 'button' }] } as never;

function wordsOf(line: object): string[] {
  const whole = { at: '2026-11-22T10:00:00.000Z', device: null, cause: null, by: null, ...line } as TimelineLine;
  return logLines([whole], DEVICE as Device).map(({ what, note, tone }) => [what, note, tone].join(' | '));
}

const cause = (more: object) => ({ command: 'c', scene: null, automation: null, run: null, depth: 0, ...more });
const by = (type: string) => ({ type, id: 'i', user: { id: 'u', name: 'Ada' } });
const ON = { type: 'feature.changed', feature: { key: 'on', value: true } };

test.each([
  [ON, 'On |  | plain'],
  [{ ...ON, cause: cause({}), by: by('session') }, 'On | by Ada | plain'],
  [{ ...ON, cause: cause({}), by: by('api_token') }, 'On | by an API token of Ada | plain'],
  [{ ...ON, cause: cause({}) }, 'On | by a command | plain'],
  [{ ...ON, cause: cause({ scene: 's' }) }, 'On | by a scene | plain'],
  [{ ...ON, cause: cause({ automation: 'a' }), by: by('session') }, 'On | by an automation | plain'],
  [{ type: 'feature.occurred', feature: { key: 'button', action: 'single' } }, 'Button: Pressed once |  | plain'],
  [{ type: 'availability.changed', availability: { state: 'offline' } }, 'Offline |  | bad'],
  [
    {
      type: 'command.finished',
      command: { id: 'c', status: 'failed', reason: 'no answer', code: 'DEVICE_OFFLINE', set: { on: true } },
      cause: cause({ command: null }),
      by: by('session'),
    },
    'Command: On | failed: no answer, by Ada | bad',
  ],
  [
    {
      type: 'command.finished',
      command: { id: 'c', status: 'confirmed', reason: 'unchanged', code: null, set: { on: true } },
      cause: cause({ command: null }),
      by: by('session'),
    },
    'Command: On | it was so already, by Ada | plain',
  ],
  [{ type: 'device.added' }, 'Added to the home |  | plain'],
  [{ type: 'device.removed' }, 'Removed from the home |  | plain'],
  [{ type: 'device.renamed', name: 'Lamp' }, 'New name: Lamp |  | plain'],
  [{ type: 'lines.skipped', skipped: 12 }, 'More in a short time: 12 |  | plain'],
])('%j', (line, words) => {
  expect(wordsOf(line)).toEqual([words]);
});

test('a line of a type that this page does not know is left out', () => {
  expect(wordsOf({ type: 'mode.changed' })).toEqual([]);
});

const at = (second: number) => `2026-11-22T10:00:${String(second).padStart(2, '0')}.000Z`;
const LOCK = {
  features: [
    { key: 'locked', name: 'Locked', capability: 'locked', kind: 'state', writable: true },
    { key: 'lock_state', name: 'Lock state', capability: 'lock_state', kind: 'state', writable: false },
    { key: 'battery', name: 'Battery', capability: 'battery', kind: 'state', writable: false, unit: 'percent' },
  ],
} as never;
const ref = { id: 'd', selector: 'd', name: 'Door' };
const told = (...lines: object[]) =>
  logLines(
    lines.map((line, index) => ({ at: at(60 - index), device: ref, cause: null, by: null, ...line }) as TimelineLine),
    LOCK as Device,
  ).map(({ what, note }) => (note === '' ? what : `${what} (${note})`));

test('what a command changed is one line, with who did it, and what only repeats or measures is none', () => {
  const set = cause({});
  expect(
    told(
      { type: 'feature.changed', feature: { key: 'battery', value: 80 } },
      {
        type: 'command.finished',
        command: { id: 'c', status: 'confirmed', reason: null, set: { locked: true } },
        by: by('session'),
      },
      { type: 'feature.changed', feature: { key: 'lock_state', value: 'locked' } },
      { type: 'feature.changed', feature: { key: 'locked', value: true }, cause: set, by: by('session') },
    ),
  ).toEqual(['Locked (by Ada)']);
});

test('a command without a change has a line', () => {
  const command = { id: 'c', status: 'confirmed', reason: null, set: { locked: true } };
  expect(told({ type: 'command.finished', command, by: by('session') })).toEqual(['Command: Locked (done, by Ada)']);
});

test('that a device with a battery sleeps and wakes up has no line, and that it was gone and is back has one', () => {
  const states = ['asleep', 'online', 'asleep', 'online', 'offline', 'online', 'asleep'];
  expect(told(...states.map((state) => ({ type: 'availability.changed', availability: { state } })))).toEqual([
    'Online',
    'Offline',
  ]);
});
