import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { UserId } from '#core/person/user.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import { AUTOMATION_LIMITS } from '#core/automation/registry/automation-record.ts';
import { openShelf, SIGNER } from '#test/support/automation/automation-shelf.ts';

const BOB = {
  ...SIGNER,
  user: { id: 'a0000000-0000-7000-8000-000000000002' as UserId, name: 'Bob' },
  signedAtMs: 5_000,
};

describe('an automation', () => {
  test('S6: is after a restart as it was last saved, with its versions', async () => {
    const { registry, open, wanted, lamp } = await openShelf();
    const { id } = await registry.create(wanted({ labels: ['light'], note: 'first' }));
    await registry.save(id, { definition: lamp(false), signer: BOB, note: null, details: { name: 'Hall' } });
    const again = await open();
    expect(again.find('hall-light')).toEqual(registry.find(id));
    expect(again.find(id)).toMatchObject({
      name: 'Hall',
      version: 2,
      revision: 2,
      signer: { user: BOB.user },
      createdBy: SIGNER.user,
    });
    expect(await again.versions(id)).toEqual([
      expect.objectContaining({ version: 2, pointers: ['/steps/0/command/set/on'], note: null }),
      expect.objectContaining({ version: 1, pointers: [], note: 'first' }),
    ]);
    expect((await again.findVersion(id, 1))?.definition).toEqual(lamp(true));
  });

  test('gets a version only when it does something else', async () => {
    const { registry, wanted, lamp, events } = await openShelf();
    const { id } = await registry.create(wanted());
    await registry.change(id, { name: 'Hall', labels: ['x'] });
    await registry.change(id, { name: 'Hall' });
    await registry.save(id, { definition: lamp(true), signer: BOB, note: null });
    expect(registry.find(id)).toMatchObject({ version: 1, revision: 2, signer: { user: SIGNER.user } });
    expect(events.map(({ type }) => type)).toEqual(['automation.added', 'automation.changed']);
  });

  test('is changed only on the revision that a client has read', async () => {
    const { registry, wanted } = await openShelf();
    const { id } = await registry.create(wanted());
    await registry.change(id, { name: 'Hall' }, { ifRevision: 1 });
    await expect(registry.change(id, { name: 'Attic' }, { ifRevision: 1 })).rejects.toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    await expect(registry.remove(id, { ifRevision: 1 })).rejects.toMatchObject({ code: 'PRECONDITION_FAILED' });
    expect(registry.find(id)).toMatchObject({ name: 'Hall', revision: 2 });
  });

  test('is not written if its caller loses the right meanwhile', async () => {
    const { registry, wanted, open } = await openShelf();
    const { id } = await registry.create(wanted());
    const authorize = (): void => {
      throw new Error('lost');
    };
    await expect(registry.change(id, { name: 'x' }, { authorize })).rejects.toThrow('lost');
    await expect(registry.revert(id, { version: 1, signer: BOB, note: null }, { authorize })).rejects.toThrow('lost');
    await expect(registry.create(wanted(), { authorize })).rejects.toThrow('lost');
    expect((await open()).automations()).toEqual(registry.automations());
  });

  test('goes back to an older version as a new one, signed by who does it', async () => {
    const { registry, wanted, lamp } = await openShelf();
    const { id } = await registry.create(wanted());
    await registry.save(id, { definition: lamp(false), signer: SIGNER, note: null });
    await registry.suspend(id, 'RIGHTS_MISSING');
    const back = await registry.revert(id, { version: 1, signer: BOB, note: 'as before' });
    expect(back).toMatchObject({ version: 3, definition: lamp(true), signer: { user: BOB.user }, suspended: null });
    expect((await registry.versions(id))[0]).toMatchObject({ version: 3, revertedTo: 1, note: 'as before' });
    await expect(registry.revert(id, { version: 9, signer: BOB, note: null })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('keeps its last hundred versions, the first, and those that were taken again', async () => {
    const { registry, wanted, lamp } = await openShelf();
    const { id } = await registry.create(wanted());
    const save = (on: boolean) => registry.save(id, { definition: lamp(on), signer: SIGNER, note: null });
    await save(false);
    await registry.revert(id, { version: 1, signer: SIGNER, note: null });
    await registry.revert(id, { version: 2, signer: SIGNER, note: null });
    for (let at = 0; at < AUTOMATION_LIMITS.versions + 5; at += 1) await save(at % 2 === 0);
    const kept = (await registry.versions(id)).map(({ version }) => version);
    expect(kept.slice(-3)).toEqual([10, 2, 1]);
    expect(kept).toHaveLength(AUTOMATION_LIMITS.versions + 2);
  });

  test('does not run while it is suspended, until somebody signs it', async () => {
    const { registry, wanted, news } = await openShelf();
    const { id } = await registry.create(wanted());
    const suspended = await registry.suspend(id, 'SIGNER_GONE');
    expect(registry.stateOf(suspended)).toEqual({ state: 'suspended', code: 'SIGNER_GONE' });
    const signed = await registry.sign(id, BOB);
    expect([signed.version, registry.stateOf(signed)]).toEqual([1, { state: 'ready' }]);
    expect(news.map((one) => one.kind === 'saved' && one.automation.state)).toEqual(['ready', 'suspended', 'ready']);
  });

  test('has missed nothing of the time in which it was disabled', async () => {
    const { registry, wanted, time } = await openShelf();
    const { id } = await registry.create(wanted());
    await registry.change(id, { enabled: false });
    time.wallMs = 99_000;
    const enabled = await registry.change(id, { enabled: true });
    expect(registry.asActive(enabled)).toMatchObject({ state: 'ready', signedAtMs: 99_000, isDurable: false });
  });

  test('is refused as the 501st', async () => {
    const { registry, wanted, open } = await openShelf();
    for (let at = 0; at < AUTOMATION_LIMITS.automations; at += 1) await registry.create(wanted());
    await expect(registry.create(wanted())).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(registry.find('hall-light-500')).toBeDefined();
    expect(registry.find('hall-light-501')).toBeUndefined();
    expect((await open()).automations()).toHaveLength(AUTOMATION_LIMITS.automations);
  });
});

test('many that are added or changed together let others run in between', async () => {
  const { registry, wanted, lamp } = await openShelf();
  const loop = { turns: 0, isWatched: true };
  const watch = (): void => {
    loop.turns += 1;
    if (loop.isWatched) setImmediate(watch);
  };
  setImmediate(watch);
  const turnsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = loop.turns;
    await work();
    return loop.turns - before;
  };
  const ids = registry.newIds(100);
  const added = await turnsOf(() => registry.createAll(ids.map((id) => ({ ...wanted(), id }))));
  const change = { definition: lamp(false), signer: BOB, note: null };
  const changed = await turnsOf(() =>
    registry.saveTogether(
      ids.map((id) => ({ id, change, terms: {} })),
      async () => undefined,
    ),
  );
  loop.isWatched = false;
  expect(registry.automations().map(({ version }) => version)).toEqual(ids.map(() => 2));
  expect(Math.min(added, changed)).toBeGreaterThanOrEqual(40);
});

test('many whose caller loses the right while they are checked are not added, and leave their names free', async () => {
  const { registry, wanted, open } = await openShelf();
  let mayAdd = true;
  const authorize = (): void => {
    if (!mayAdd) throw new Error('lost');
  };
  const many = registry.newIds(100).map((id) => ({ ...wanted(), id }));
  const adding = registry.createAll(many, { authorize });
  setImmediate(() => (mayAdd = false));
  await expect(adding).rejects.toThrow('lost');
  expect((await open()).automations()).toEqual([]);
  expect((await registry.create(wanted())).selector).toBe('hall-light');
});

describe('the trash', () => {
  test('keeps an automation for thirty days, with its selector and versions', async () => {
    const { registry, wanted, time, news, open } = await openShelf();
    const { id } = await registry.create(wanted());
    await registry.remove(id);
    expect([registry.automations(), registry.find('hall-light')]).toEqual([[], undefined]);
    expect((await registry.create(wanted())).selector).toBe('hall-light-2');
    time.hubMs += (AUTOMATION_LIMITS.trashDays - 1) * 86_400_000;
    await registry.upkeep();
    const again = await open();
    await again.restore(again.findInTrash('hall-light')?.id ?? id);
    expect(again.find('hall-light')).toMatchObject({ id, revision: 3, deletedAtMs: null });
    expect(await again.versions(id)).toHaveLength(1);
    expect(news.map(({ kind }) => kind)).toEqual(['saved', 'removed', 'saved']);
  });

  test('holds a removal although the oldest of too many cannot be deleted, and deletes it with the next one', async () => {
    const { registry, wanted, storage, open } = await openShelf();
    const record = await registry.create(wanted());
    const other = await registry.create(wanted());
    const old = Array.from({ length: AUTOMATION_LIMITS.trash }, (_, at) => ({
      ...record,
      id: randomUUID() as AutomationId,
      selector: `old-${at}`,
      deletedAtMs: 1_000 + at,
    }));
    await storage.automations.saveAutomations(old.map((one) => ({ record: one, version: null })));
    const disk = { isFull: true };
    const again = await open({
      ...storage.automations,
      deleteAutomations: async (ids) => {
        if (disk.isFull) throw new Error('the disk is full');
        return storage.automations.deleteAutomations(ids);
      },
    });
    expect(await again.remove(record.id)).toMatchObject({ id: record.id, revision: 2 });
    expect([again.find(record.id), again.trash().length]).toEqual([undefined, AUTOMATION_LIMITS.trash + 1]);
    disk.isFull = false;
    await again.remove(other.id);
    expect(again.trash()).toHaveLength(AUTOMATION_LIMITS.trash);
    expect(again.findInTrash('old-1')).toBeUndefined();
    expect(again.findInTrash('old-2')).toBeDefined();
  });

  test('is emptied after that', async () => {
    const { registry, wanted, time } = await openShelf();
    const { id } = await registry.create(wanted());
    await registry.remove(id);
    time.hubMs += AUTOMATION_LIMITS.trashDays * 86_400_000;
    await registry.upkeep();
    await expect(registry.restore(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([registry.trash(), await registry.versions(id)]).toEqual([[], []]);
    expect((await registry.create(wanted())).selector, 'its name is free again').toBe('hall-light');
  });
});

describe('a reference', () => {
  test('to a removed device breaks its automation with a pointer, and mends it with the device', async () => {
    const { registry, wanted, takeAway, news, events } = await openShelf();
    const { id } = await registry.create(wanted());
    const other = await registry.create(
      wanted({ definition: { ...wanted().definition, triggers: [] }, name: 'Other' }),
    );
    const bringBack = takeAway('hall-motion');
    const record = registry.find(id) ?? other;
    expect(registry.stateOf(record)).toMatchObject({ state: 'broken', faults: [{ pointer: '/triggers/0/device' }] });
    expect(registry.asActive(record)).toMatchObject({ state: 'broken', broken: ['/triggers/0/device'] });
    expect(registry.stateOf(other)).toEqual({ state: 'ready' });
    bringBack();
    expect(registry.stateOf(record)).toEqual({ state: 'ready' });
    expect(news.map((one) => one.kind === 'saved' && one.automation.state)).toEqual([
      'ready',
      'ready',
      'broken',
      'ready',
    ]);
    expect(events.slice(2).map((one) => 'state' in one && one.state)).toMatchObject([
      { state: 'broken' },
      { state: 'ready' },
    ]);
  });

  test('is shown by the name that it had last', async () => {
    const { registry, wanted, takeAway, lamp, read } = await openShelf();
    const { id } = await registry.create(wanted());
    const before = lamp(false);
    takeAway('hall-motion');
    await registry.save(id, { definition: before, signer: SIGNER, note: null });
    const motion = 'device' in (before.triggers[0] ?? {}) ? (before.triggers[0] as { device: string }).device : '';
    expect(registry.find(id)?.names[`device/${motion}`]).toMatchObject({
      selector: 'hall-motion',
      name: 'hall-motion',
    });
    expect(() =>
      read({ triggers: [], steps: [{ command: { targets: { devices: [motion] }, do: 'toggle' } }] }),
    ).toThrow('INVALID_VALUE');
  });

  test('to another automation breaks when that one goes into the trash', async () => {
    const { registry, wanted, read } = await openShelf();
    const { id } = await registry.create(wanted());
    const chief = await registry.create(
      wanted({
        name: 'Chief',
        definition: read({ triggers: [], steps: [{ automation: { automation: id, do: 'run' } }] }),
      }),
    );
    await registry.remove(id);
    expect(registry.stateOf(chief)).toMatchObject({
      state: 'broken',
      faults: [{ pointer: '/steps/0/automation/automation' }],
    });
    await registry.restore(id);
    expect(registry.stateOf(chief)).toEqual({ state: 'ready' });
  });

  test('to a mode costs nothing when the mode is only set', async () => {
    const { registry, wanted, read, happened, news } = await openShelf();
    await registry.create(
      wanted({ definition: read({ triggers: [{ type: 'mode', mode: 'home', to: 'away' }], steps: [] }) }),
    );
    happened.tell({ type: 'mode.changed', mode: HOME_MODE, endMs: undefined, isGone: false });
    expect(news).toHaveLength(1);
  });
});

describe('what two automations name', () => {
  test('breaks both when it goes, and both are whole again when it is back', async () => {
    const { registry, wanted, takeAway, open } = await openShelf();
    const both = [await registry.create(wanted()), await registry.create(wanted())];
    const states = () => both.map((record) => registry.stateOf(record).state);
    const bringBack = takeAway('hall-motion');
    expect(states()).toEqual(['broken', 'broken']);
    expect((await open()).automations()).toHaveLength(2);
    registry.review();
    bringBack();
    expect(states()).toEqual(['ready', 'ready']);
  });

  test('may be a third automation, after a restart as before', async () => {
    const { registry, wanted, read, open } = await openShelf();
    const { id } = await registry.create(wanted());
    const definition = read({ triggers: [], steps: [{ automation: { automation: id, do: 'run' } }] });
    const both = [await registry.create(wanted({ definition })), await registry.create(wanted({ definition }))];
    const again = await open();
    expect(both.map((record) => again.stateOf(record))).toEqual([{ state: 'ready' }, { state: 'ready' }]);
    await registry.remove(id);
    expect(both.map((record) => registry.stateOf(record).state)).toEqual(['broken', 'broken']);
  });

  test('may fit neither any more', async () => {
    const { registry, wanted, read, happened, house } = await openShelf();
    const definition = read({ triggers: [{ type: 'mode', mode: 'home', to: 'away' }], steps: [] });
    const both = [await registry.create(wanted({ definition })), await registry.create(wanted({ definition }))];
    house.mode = { ...HOME_MODE, values: HOME_MODE.values.filter((one) => one !== 'away') };
    happened.tell({ type: 'mode.changed', mode: house.mode, endMs: undefined, isGone: false });
    expect(both.map((record) => registry.stateOf(record))).toMatchObject([{ misfits: [{}] }, { misfits: [{}] }]);
  });
});

test('an automation says what does not fit any more, and runs all the same', async () => {
  const { registry, wanted, read, happened, house, news } = await openShelf();
  const definition = read({ triggers: [{ type: 'mode', mode: 'home', to: 'away' }], steps: [] });
  const record = await registry.create(wanted({ definition }));
  expect(registry.stateOf(record)).toEqual({ state: 'ready' });
  house.mode = { ...HOME_MODE, values: HOME_MODE.values.filter((one) => one !== 'away') };
  happened.tell({ type: 'mode.changed', mode: house.mode, endMs: undefined, isGone: false });
  expect(registry.stateOf(record)).toMatchObject({ state: 'ready', misfits: [{ pointer: '/triggers/0/to' }] });
  expect(registry.asActive(record)).toMatchObject({ state: 'ready', broken: [] });
  expect(news).toHaveLength(2);
});

describe('what operands and conditions name', () => {
  const STOP = { stop: { outcome: 'finished' } };
  const KEEPS = { steps: [], variables: { mine: 1 } };

  test('breaks an automation when a variable of the home goes, with a pointer to each place, and its own ones do not', async () => {
    const { registry, wanted, read, happened, variables } = await openShelf();
    const definition = read({
      ...KEEPS,
      triggers: [{ type: 'time', at: '07:00' }],
      conditions: [
        { variable: { variable: 'guests', is: 3 } },
        {
          compare: {
            left: { add: [{ variable: 'guests' }, { variable: 'mine' }] },
            op: 'gt',
            right: 4,
          },
        },
        { compare: { left: { value: { variable: 'nobody' } }, op: 'eq', right: 1 } },
      ],
      steps: [{ repeat: { for_each: { variable: 'each', in: [1] }, max: 1, steps: [STOP] } }],
    });
    const record = await registry.create(wanted({ definition }));
    expect(registry.stateOf(record)).toEqual({ state: 'ready' });
    expect(registry.referencesOf(record.id)).toContain('variable/guests');
    const [guests] = variables.splice(0);
    if (guests === undefined) throw new Error('there is no variable');
    happened.tell({ type: 'variable.changed', variable: guests, isGone: true });
    expect(registry.stateOf(record)).toMatchObject({
      state: 'broken',
      faults: [
        { pointer: '/conditions/0/variable/variable' },
        { pointer: '/conditions/1/compare/left/add/0/variable' },
      ],
    });
    variables.push(guests);
    happened.tell({ type: 'variable.changed', variable: guests, isGone: false });
    expect(registry.stateOf(record)).toEqual({ state: 'ready' });
  });

  test('breaks an automation that looks at the sun while nobody knows where the home is', async () => {
    const { registry, wanted, read, place } = await openShelf();
    const definition = read({
      ...KEEPS,
      triggers: [{ type: 'time', at: '07:00' }],
      conditions: [
        { or: [{ sun: { below: -6 } }, { sun: { below: -3 }, if_unknown: true }] },
        { compare: { left: { coalesce: [{ sun: 'elevation' }, 0] }, op: 'lt', right: 4 } },
      ],
      steps: [
        {
          choose: {
            cases: [{ if: { compare: { left: { sun: 'elevation' }, op: 'lt', right: 4 } }, then: [STOP] }],
          },
        },
        { wait_for: { triggers: [{ type: 'sun', event: 'sunset' }], timeout_s: 60 } },
      ],
    });
    const record = await registry.create(wanted({ definition }));
    place.isKnown = false;
    registry.review();
    expect(registry.asActive(record)).toMatchObject({
      state: 'broken',
      broken: ['/conditions/0/or/0/sun', '/steps/0/choose/cases/0/if/compare/left/sun', '/steps/1/wait_for/triggers/0'],
    });
  });
});

describe('an automation by the sun', () => {
  test('is broken without the location of the home, with the trigger that needs it, and whole again with it', async () => {
    const { registry, wanted, read, place, events } = await openShelf();
    const definition = read({
      triggers: [
        { type: 'time', at: '07:00' },
        { type: 'sun', event: 'sunset' },
      ],
      steps: [],
    });
    const record = await registry.create(wanted({ definition }));
    await registry.create(wanted({ name: 'Other' }));
    expect(registry.stateOf(record)).toEqual({ state: 'ready' });
    place.isKnown = false;
    registry.review();
    expect(registry.stateOf(record)).toMatchObject({ state: 'broken', faults: [{ pointer: '/triggers/1' }] });
    expect(registry.asActive(record)).toMatchObject({ state: 'broken', broken: ['/triggers/1'] });
    place.isKnown = true;
    registry.review();
    registry.review();
    const states = events.flatMap((event) => (event.type === 'automation.changed' ? [event.state.state] : []));
    expect(states).toEqual(['broken', 'ready']);
  });
});
