import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import type { Directory } from '#core/automation/check/directory.ts';
import { type Linked, warnOfRings } from '#core/automation/check/rings.ts';
import type { Device } from '#core/device/device.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { definitionOf, KNOWN_HOME } from '#test/support/automation/known-home.ts';

const on = (device: string, to: boolean) => ({ type: 'feature', device, key: 'on', to });
const turn = (device: string, value: boolean) => ({ command: { targets: { devices: [device] }, set: { on: value } } });
const linked = (id: string, [trigger, ...conditions]: readonly object[], step: object): Linked => ({
  id: id as AutomationId,
  selector: id,
  definition: definitionOf({ triggers: [trigger], steps: [step], conditions } as unknown as JsonValue),
});
const LAMPS = /^lamp-\d+$/;
const [LAMP] = [...KNOWN_HOME.devices()];
const HOME: Directory = {
  ...KNOWN_HOME,
  device: (id) => (LAMP !== undefined && LAMPS.test(id) ? { ...LAMP, id } : KNOWN_HOME.device(id)),
};
const found = (self: Linked, ...others: readonly Linked[]) =>
  warnOfRings(self, [self, ...others], HOME).map(({ pointer, message }) => [pointer, message]);

describe('a ring of automations', () => {
  test.each<readonly [string, readonly [Linked, ...Linked[]], string]>([
    [
      'of two that switch what the other watches',
      [
        linked('a', [on('hall-lamp', true)], turn('remote', true)),
        linked('b', [on('remote', true)], turn('hall-lamp', true)),
      ],
      'b',
    ],
    [
      'of three over a mode and a run',
      [
        linked('a', [{ type: 'mode', mode: 'home', to: 'night' }], turn('hall-lamp', false)),
        linked('b', [on('hall-lamp', false)], { automation: { automation: 'c', do: 'run' } }),
        linked('c', [{ type: 'hook' }], { mode: { mode: 'home', value: 'night' } }),
      ],
      'b → c',
    ],
    [
      'through a selection of devices',
      [
        linked('a', [{ type: 'feature', any_of: { room: 'hall', capability: 'on' }, to: true }], turn('remote', true)),
        linked('b', [on('remote', true)], turn('hall-lamp', true)),
      ],
      'b',
    ],
    [
      'through a room',
      [
        linked('a', [{ type: 'mode', mode: 'home', to: 'night' }], {
          command: { targets: { room: 'hall' }, set: { on: true } },
        }),
        linked('b', [on('hall-lamp', true)], { mode: { mode: 'home', value: 'night' } }),
      ],
      'b',
    ],
    [
      'of two that toggle',
      [
        linked('a', [{ type: 'mode', mode: 'home', to: 'night' }], {
          command: { targets: { any_of: { room: 'hall' } }, do: 'toggle' },
        }),
        linked('b', [on('hall-lamp', true)], { mode: { mode: 'home', value: 'night' } }),
      ],
      'b',
    ],
  ])('%s is warned of at the step that begins it', (_what, ring, chain) => {
    const [[pointer, message] = []] = found(...ring);
    expect(pointer).toMatch(/^\/steps\/0\/command\/(?:set\/on|do)$/);
    expect(message).toBe(`may start this automation again by ${chain}`);
  });

  test.each<readonly [string, Linked, Linked]>([
    [
      'the other turns it off and only on counts',
      linked('a', [on('hall-lamp', true)], turn('remote', true)),
      linked('b', [on('remote', true)], turn('hall-lamp', false)),
    ],
    [
      'the other has a condition',
      linked('a', [on('hall-lamp', true)], turn('remote', true)),
      linked('b', [on('remote', true), { time: { after: '22:00' } }], turn('hall-lamp', true)),
    ],
    [
      'only a hand counts',
      linked('a', [{ ...on('hall-lamp', true), by: 'hand' }], turn('remote', true)),
      linked('b', [on('remote', true)], turn('hall-lamp', true)),
    ],
  ])('is none where %s', (_what, self, other) => {
    expect(found(self, other)).toEqual([]);
  });

  const ringOf = (length: number) =>
    Array.from({ length }, (_, at) =>
      linked(`a${at}`, [on(`lamp-${at}`, true)], turn(`lamp-${(at + 1) % length}`, true)),
    );

  test('is found over all automations of a home', () => {
    const [first, ...others] = ringOf(500);
    expect(first && found(first, ...others)).toEqual([
      ['/steps/0/command/set/on', 'may start this automation again by a1 → a2 → a3 → a4 → …'],
    ]);
  });

  test('costs a look at what the saved one may start, and at no other', () => {
    const looked = new Set<string>();
    const home: Directory = { ...HOME, device: (id) => (looked.add(id), HOME.device(id)) };
    const saved = linked('saved', [on('lamp-900', true)], turn('lamp-498', true));
    const others = ringOf(500).filter(({ selector }) => selector !== 'a0');
    expect(warnOfRings(saved, others, home)).toEqual([]);
    expect([...looked]).toEqual(['lamp-498', 'lamp-499', 'lamp-0']);
  });

  test('is looked for in bounded steps, however many watch whatever fits', () => {
    let looks = 0;
    const lamp = {
      ...LAMP,
      get integration() {
        looks += 1;
        return 'test';
      },
    };
    const home: Directory = { ...HOME, device: (id) => Object.create(lamp, { id: { value: id } }) as Device };
    const watching = { type: 'feature', any_of: { type: 'siren' }, to: true };
    const crowd = Array.from({ length: 500 }, (_, at): Linked => {
      const definition = definitionOf({
        triggers: Array.from({ length: 50 }, (_one, time) => ({ ...watching, for_s: time + 1 })),
        steps: Array.from({ length: 100 }, (_one, step) => turn(`lamp-${at * 100 + step}`, true)),
      });
      return { id: `c${at}` as AutomationId, selector: `c${at}`, definition };
    });
    const [first] = crowd;
    expect(first && warnOfRings(first, crowd, home)).toEqual([]);
    expect(looks).toBeGreaterThan(1_000);
    expect(looks).toBeLessThanOrEqual(100_000);
  });
});
