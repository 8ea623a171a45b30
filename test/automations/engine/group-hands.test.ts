import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import { createLiveHome, type LiveHome } from '#test/support/automation/live-home.ts';
import { automation } from '#test/support/automation/virtual-home.ts';

const LAMPS = ['lamp-0', 'lamp-1', 'lamp-2'];
const rule = (part: JsonObject): Automation => automation('rule', part);
const RULE = rule({
  yield_to_hand_s: 1_800,
  triggers: [{ id: 't1', type: 'feature', device: 'motion', key: 'occupied', to: true }],
  steps: [{ id: 's1', command: { targets: { group: 'all' }, set: { on: true, brightness: 60 } } }],
});

async function openHome(): Promise<LiveHome> {
  const lamp = { type: 'dimmable_light', values: { on: false, brightness: 10 } } as const;
  const home = await createLiveHome({
    devices: { motion: { values: { occupied: false } }, ...Object.fromEntries(LAMPS.map((id) => [id, lamp])) },
    groups: { all: LAMPS },
    automations: [RULE],
  });
  await home.time.advance(1_000);
  return home;
}

/** Somebody comes in; the answer is what the lamps were sent. */
async function comeIn(home: LiveHome): Promise<readonly string[]> {
  const before = home.sent().length;
  home.report('motion', { occupied: true });
  await home.time.advance(2_000);
  home.report('motion', { occupied: false });
  await home.time.advance(2_000);
  return home
    .sent()
    .slice(before)
    .map(({ text }) => text)
    .toSorted();
}

const BOTH = '{"on":true,"brightness":60}';

test('a lamp of a group that a hand turned off stays off, and the others go on', async () => {
  const home = await openHome();
  expect(await comeIn(home)).toEqual(LAMPS.map((id) => `${id} ${BOTH}`));
  home.report('lamp-1', { on: false });
  await home.time.advance(1_000_000);
  home.report('lamp-2', { on: false });
  await home.time.advance(900_000);
  expect(await comeIn(home)).toEqual([`lamp-1 ${BOTH}`]);
  const results =
    home
      .traces()
      .at(-1)
      ?.steps.map((step) => JSON.stringify(step)) ?? [];
  expect(results.join()).toContain('hand');
  await home.time.advance(1_000_000);
  expect(await comeIn(home)).toContain(`lamp-2 ${BOTH}`);
});

test('a group whose only lit lamp was lost was moved by no hand', async () => {
  const home = await openHome();
  home.report('lamp-0', { on: true });
  await home.time.advance(1_900_000);
  home.hub().reports.reportAvailability('lamp-0', 'offline', 'no_contact');
  await home.time.advance(1_000);
  expect(await comeIn(home)).toContain(`lamp-1 ${BOTH}`);
});

test('a group is as it should be only when each of its lamps is', async () => {
  const home = await openHome();
  home.hub().save(rule({ ...RULE.definition, yield_to_hand_s: 0 }));
  home.report('lamp-0', { on: true, brightness: 60 });
  await home.time.advance(1_000);
  expect(await comeIn(home)).toContain(`lamp-1 ${BOTH}`);
  expect(await comeIn(home)).toEqual([]);
});

test('of a group of locks that is named, the others are locked while a hand holds one of them', async () => {
  const lock = { type: 'door_lock', values: { locked: true } } as const;
  const home = await createLiveHome({
    devices: { motion: { values: { occupied: false } }, front: lock, back: lock },
    groups: { doors: ['front', 'back'] },
    automations: [
      rule({
        ...RULE.definition,
        allow_sensitive: ['doors'],
        steps: [{ id: 's1', command: { targets: { group: 'doors' }, set: { locked: true } } }],
      }),
    ],
  });
  await home.time.advance(1_000);
  home.report('back', { locked: false });
  await home.time.advance(1_000_000);
  home.report('front', { locked: false });
  await home.time.advance(900_000);
  expect(await comeIn(home)).toEqual(['back {"locked":true}']);
});
