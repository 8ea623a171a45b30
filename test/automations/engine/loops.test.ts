import { describe, expect, test } from 'vitest';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { JsonValue } from '#base/json.ts';
import { createLiveHome, type LiveHome, type LiveSettings } from '#test/support/automation/live-home.ts';
import { automation } from '#test/support/automation/virtual-home.ts';
import { expectBelow, startProcessorWatch } from '#test/support/machine/bounds.ts';
import { idOf } from '#core/automation-run/trace/run-reason.ts';

const LAMPS = Object.fromEntries(
  Array.from({ length: 10 }, (_, at) => [`lamp-${at}`, { values: { on: false, brightness: 0 } }]),
);
const rule = (id: string, part: object): Automation => automation(id, part);
const heard = (device: string, key: string, to?: unknown) => ({
  id: 't1',
  type: 'feature',
  device,
  key,
  ...(to === undefined ? {} : { to }),
});
const set = (device: string, key: string, value: unknown) => ({
  id: 's1',
  command: { targets: { devices: [device] }, set: { [key]: value }, skip_if_same: false },
});
const waiting = (step: ReturnType<typeof set>, wait: 'sent' | 'finished') => ({
  ...step,
  command: { ...step.command, wait },
});
const other = { if: [{ compare: { left: { trigger: 'value' }, op: 'eq', right: true } }, false, true] };
const higher = {
  if: [{ compare: { left: { trigger: 'value' }, op: 'gt', right: 90 } }, 1, { add: [{ trigger: 'value' }, 1] }],
};
const PARALLEL = { mode: { kind: 'parallel', max: 10 } };
const QUEUED = { mode: { kind: 'queued', max: 50 } };
const RESTART = { mode: { kind: 'restart', max: 1 } };
const MODES = [
  ['one at a time', {}],
  ['all at once', PARALLEL],
  ['one after the other', QUEUED],
  ['the newest', RESTART],
] as const;

type Loop = readonly [name: string, automations: readonly Automation[], settings?: Partial<LiveSettings>];

/** A feature that each turn changes: what the next one gets, from what this one got. */
const FEEDS = [
  ['on', other],
  ['brightness', higher],
] as const;

/** Lamps that move the next one, the last of them the first; at one place the value changes. */
function ring(size: number, [key, next]: (typeof FEEDS)[number], part: object = {}): readonly Automation[] {
  return Array.from({ length: size }, (_, at) =>
    rule(`a${at}`, {
      ...part,
      triggers: [heard(`lamp-${at}`, key)],
      steps: [set(`lamp-${(at + 1) % size}`, key, at === size - 1 ? next : { trigger: 'value' })],
    }),
  );
}

/** Automations that start the next one by a step, or listen to the end of the one before. */
function chain(size: number, how: 'run' | 'ended'): readonly Automation[] {
  return Array.from({ length: size }, (_, at) =>
    rule(`a${at}`, {
      ...PARALLEL,
      triggers: [
        ...(at === 0 ? [heard('lamp-0', 'on')] : []),
        ...(how === 'run'
          ? []
          : [{ id: 't2', type: 'automation', automation: `a${(at + size - 1) % size}`, outcome: 'finished' }]),
      ],
      steps: [
        set('lamp-1', 'on', true),
        ...(how === 'run' ? [{ id: 's2', automation: { automation: `a${(at + 1) % size}`, do: 'run' } }] : []),
      ],
    }),
  );
}

const pair = (one: object, two: object): readonly Automation[] => [rule('a', one), rule('b', two)];
const ZOO: readonly Loop[] = [
  ...FEEDS.flatMap((feed) => MODES.map(([how, part]): Loop => [`a lamp's ${feed[0]}, ${how}`, ring(1, feed, part)])),
  ...FEEDS.flatMap((feed) => MODES.map(([how, part]): Loop => [`two lamps' ${feed[0]}, ${how}`, ring(2, feed, part)])),
  ...FEEDS.flatMap((feed) =>
    [3, 4, 5, 6, 7, 8, 9].map((size): Loop => [`${size} lamps' ${feed[0]}`, ring(size, feed)]),
  ),
  ...[3, 5, 9].map((size): Loop => [`${size} lamps, all at once`, ring(size, FEEDS[0], PARALLEL)]),
  ...[1, 2, 5, 9].map((size): Loop => [`${size} that start each other`, chain(size, 'run')]),
  ...[1, 2, 5, 9].map((size): Loop => [`${size} that start when another ends`, chain(size, 'ended')]),
  [
    'two that undo each other',
    pair(
      { triggers: [heard('lamp-0', 'on', true)], steps: [set('lamp-0', 'on', false)] },
      { triggers: [heard('lamp-0', 'on', false)], steps: [set('lamp-0', 'on', true)] },
    ),
  ],
  [
    'a wait in the loop',
    pair(
      { triggers: [heard('lamp-0', 'on', true)], steps: [waiting(set('lamp-0', 'on', false), 'finished')] },
      { triggers: [heard('lamp-0', 'on', false)], steps: [waiting(set('lamp-0', 'on', true), 'sent')] },
    ),
  ],
  [
    'a mode that two set',
    pair(
      {
        triggers: [heard('lamp-0', 'on'), { id: 't2', type: 'mode', mode: 'home', to: 'night' }],
        steps: [{ id: 's1', mode: { mode: 'home', value: 'away' } }],
      },
      {
        triggers: [{ id: 't1', type: 'mode', mode: 'home', to: 'away' }],
        steps: [{ id: 's1', mode: { mode: 'home', value: 'night' } }, set('lamp-1', 'on', true)],
      },
    ),
  ],
  [
    'a lamp and a mode',
    [
      ['on', true, 'night'],
      ['on', false, 'away'],
    ].flatMap(([key, value, mode]) => [
      rule(`a-${mode}`, {
        triggers: [heard('lamp-0', String(key), value)],
        steps: [{ id: 's1', mode: { mode: 'home', value: mode } }],
      }),
      rule(`b-${mode}`, {
        triggers: [{ id: 't1', type: 'mode', mode: 'home', to: mode }],
        steps: [set('lamp-0', 'on', value !== true)],
      }),
    ]),
  ],
  [
    'a group and its member',
    [
      rule('a', {
        triggers: [heard('lamp-1', 'on')],
        steps: [{ id: 's1', command: { targets: { group: 'both' }, set: { on: other }, skip_if_same: false } }],
      }),
      rule('b', { triggers: [heard('lamp-0', 'on')], steps: [set('lamp-1', 'on', { trigger: 'value' })] }),
    ],
    { groups: { both: ['lamp-0', 'lamp-1'] } },
  ],
  [
    'a group that turns itself around',
    [
      rule('a', {
        triggers: [{ id: 't1', type: 'feature', group: 'both', key: 'on' }],
        steps: [{ id: 's1', command: { targets: { group: 'both' }, set: { on: other }, skip_if_same: false } }],
      }),
    ],
    { groups: { both: ['lamp-0', 'lamp-1'] } },
  ],
  [
    'a scene that is put back',
    pair(
      { triggers: [heard('lamp-0', 'on', true)], steps: [{ id: 's1', scene: { scene: 'dark', skip_if_same: false } }] },
      { triggers: [heard('lamp-0', 'on', false)], steps: [set('lamp-0', 'on', true)] },
    ),
    { scenes: { dark: { 'lamp-0': { on: false } } } },
  ],
  [
    'two scenes',
    pair(
      { triggers: [heard('lamp-0', 'on', true)], steps: [{ id: 's1', scene: { scene: 'dark', skip_if_same: false } }] },
      {
        triggers: [heard('lamp-0', 'on', false)],
        steps: [{ id: 's1', scene: { scene: 'bright', skip_if_same: false } }],
      },
    ),
    { scenes: { dark: { 'lamp-0': { on: false } }, bright: { 'lamp-0': { on: true } } } },
  ],
  [
    'a hook that calls itself',
    [
      rule('a', {
        ...PARALLEL,
        triggers: [heard('lamp-0', 'on'), { id: 'h', type: 'hook' }],
        steps: [set('lamp-1', 'on', true), { id: 's2', request: { method: 'POST', url: 'hook/a/h' } }],
      }),
    ],
  ],
  [
    'two hooks',
    ['a', 'b'].map((id) =>
      rule(id, {
        triggers: [...(id === 'a' ? [heard('lamp-0', 'on')] : []), { id: 'h', type: 'hook' }],
        steps: [
          set('lamp-1', 'on', true),
          { id: 's2', request: { method: 'POST', url: `hook/${id === 'a' ? 'b' : 'a'}/h` } },
        ],
      }),
    ),
  ],
];

const WITHIN_MS = 10_000;
/** So many times an automation may have commanded before it is stopped. */
const MOST_COMMANDS = 30;

/** The same loop with devices, groups, scenes and automations of its own, so that all can run in one home. */
function apart([name, automations, settings = {}]: Loop, at: number): Loop {
  const own = new Set([...Object.keys(settings.groups ?? {}), ...Object.keys(settings.scenes ?? {})]);
  const ids = new Set<string>(automations.map(({ id }) => id));
  const rename = (text: string): string => {
    if (/^lamp-\d$/.test(text) || own.has(text) || ids.has(text)) return `${text}-${at}`;
    return text.replace(/^hook\/(\w+)\//, `hook/$1-${at}/`);
  };
  const put = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return rename(value);
    if (Array.isArray(value)) return value.map(put);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [rename(key), put(one)]));
  };
  const moved = put({ automations, settings } as unknown as JsonValue) as unknown as {
    readonly automations: readonly Automation[];
    readonly settings: Partial<LiveSettings>;
  };
  return [name, moved.automations, moved.settings];
}

/** Commands of each automation. */
function countsOf(home: LiveHome): readonly number[] {
  const runs = new Map(home.traces().map((run) => [run.id, run.automation]));
  const counts = new Map<string | undefined, number>();
  for (const { run } of home.given()) {
    const id = runs.get(run ?? '');
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts.values()];
}

function saidOf(home: LiveHome): readonly string[] {
  return [...home.outcomes().filter((one) => one.startsWith('skipped: loop ')), ...home.tripped()];
}

describe('automations that run in circles', () => {
  test('are of fifty kinds', () => {
    expect(ZOO.length).toBeGreaterThanOrEqual(50);
  });

  test.each(ZOO.map(([name, automations, settings = {}]) => [name, automations, settings] as const))(
    '%s: stops within ten seconds, after thirty commands each, and says why',
    async (_name, automations, more) => {
      const home = await createLiveHome({
        devices: LAMPS,
        automations,
        ...more,
      });
      home.report('lamp-0', { on: true, brightness: 5 });
      await home.time.advance(WITHIN_MS);
      const count = home.given().length;
      await home.time.advance(60_000);
      home.hub().end();
      expect(Math.max(0, ...countsOf(home))).toBeLessThanOrEqual(MOST_COMMANDS);
      expect(home.given()).toHaveLength(count);
      expect(saidOf(home)).not.toEqual([]);
    },
  );

  test('all at once take a twentieth of a processor over their ten seconds, and all stop', async () => {
    const loops = ZOO.map(apart);
    const home = await createLiveHome({
      devices: Object.fromEntries(
        loops.flatMap((_, at) => Object.entries(LAMPS).map(([id, lamp]) => [`${id}-${at}`, lamp])),
      ),
      automations: loops.flatMap(([, automations]) => automations),
      groups: Object.assign({}, ...loops.map(([, , settings]) => settings?.groups)) as LiveSettings['groups'] & object,
      scenes: Object.assign({}, ...loops.map(([, , settings]) => settings?.scenes)) as LiveSettings['scenes'] & object,
    });
    const processorMs = startProcessorWatch();
    for (const at of loops.keys()) home.report(`lamp-0-${at}`, { on: true, brightness: 5 });
    await home.time.advance(WITHIN_MS);
    const tookMs = processorMs();
    const count = home.given().length;
    expectBelow('ten seconds of fifty loops, ms of processor', tookMs, WITHIN_MS / 20);
    await home.time.advance(60_000);
    home.hub().end();
    expect(home.given()).toHaveLength(count);
    expect(Math.max(0, ...countsOf(home))).toBeLessThanOrEqual(MOST_COMMANDS);
    const stopped = new Set(
      home
        .traces()
        .flatMap(({ automation: id, reason }) => (LOOPED.has(idOf(reason) ?? '') ? [id.replace(/^.*-/, '')] : [])),
    );
    expect([...ZOO.keys()].filter((at) => !stopped.has(String(at)))).toEqual([]);
  });
});

const LOOPED: ReadonlySet<string> = new Set(['loop', 'tripped', 'too_many_starts', 'flapping']);
