import { expect, test } from 'vitest';
import type { Device, TimelineLine } from '#web/client/api.ts';
import { earlierLines } from '#web/device/log/log-words.ts';

const FEATURE = { key: 'on', name: 'On', capability: 'on', unit: null, step: null };
const DEVICE = { features: [FEATURE, { ...FEATURE, key: 'button', name: 'Button', capability: 'button' }] } as never;

function wordsOf(line: object): string[] {
  const whole = { at: '2026-11-22T10:00:00.000Z', device: null, cause: null, by: null, ...line } as TimelineLine;
  return earlierLines([whole], DEVICE as Device).map(({ what, note, tone }) => [what, note, tone].join(' | '));
}

const cause = (more: object) => ({ command: 'c', scene: null, automation: null, run: null, depth: 0, ...more });
const by = (type: string) => ({ type, id: 'i', user: { id: 'u', name: 'Ada' } });
const ON = { type: 'feature.changed', feature: { key: 'on', value: true } };

test.each([
  [ON, 'On: On |  | plain'],
  [{ ...ON, cause: cause({}), by: by('session') }, 'On: On | by Ada | plain'],
  [{ ...ON, cause: cause({}), by: by('api_token') }, 'On: On | by an API token of Ada | plain'],
  [{ ...ON, cause: cause({}) }, 'On: On | by a command | plain'],
  [{ ...ON, cause: cause({ scene: 's' }) }, 'On: On | by a scene | plain'],
  [{ ...ON, cause: cause({ automation: 'a' }), by: by('session') }, 'On: On | by an automation | plain'],
  [{ type: 'feature.occurred', feature: { key: 'button', action: 'single' } }, 'Button: Pressed once |  | plain'],
  [{ type: 'availability.changed', availability: { state: 'offline' } }, 'Offline |  | bad'],
  [
    {
      type: 'command.finished',
      command: { id: 'c', status: 'failed', reason: 'no answer', set: { on: true } },
      cause: cause({ command: null }),
      by: by('session'),
    },
    'Command: On: On | failed: no answer, by Ada | bad',
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
