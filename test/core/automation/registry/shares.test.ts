import { describe, expect, test, vi } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { UserId } from '#core/person/user.ts';
import { SHARES } from '#core/automation/registry/shares.ts';
import { openShelf, SIGNER } from '#test/support/automation/automation-shelf.ts';

const person = (number: number) => ({
  ...SIGNER,
  user: { id: `a0000000-0000-7000-8000-00000000001${number}` as UserId, name: `Person ${number}` },
});
const KIB = 1024;

async function openCrowd() {
  const shelf = await openShelf();
  const { registry, read, wanted } = shelf;
  /** A definition of about so many bytes. */
  const long = (bytes: number) =>
    read({ triggers: [], steps: [{ variable: { variable: 'guests', value: { value: 'x'.repeat(bytes) } } }] });
  const definition = long(60 * KIB);
  const fill = async (signer: typeof SIGNER): Promise<number> => {
    for (let count = 0; ; count += 1) {
      try {
        await registry.create(wanted({ definition, signer }));
      } catch (cause) {
        if (cause instanceof HubError && cause.code === 'LIMIT_REACHED') return count;
        throw cause;
      }
    }
  };
  return { ...shelf, long, definition, fill };
}

describe('what automations do', () => {
  test('has room for a megabyte of each person, and for three of all who are not owners', async () => {
    const { registry, fill, wanted, definition } = await openCrowd();
    expect([await fill(person(1)), await fill(person(1)), await fill(person(2))]).toEqual([16, 0, 16]);
    expect([await fill(person(3)), await fill(person(4))]).toEqual([16, 2]);
    const all = registry.automations().reduce((sum, one) => sum + JSON.stringify(one.definition).length, 0);
    expect(all).toBeLessThan(SHARES.others);
    await expect(registry.create(wanted({ definition, signer: person(1) }))).rejects.toThrow(
      'Together the automations of one person would take 1026 KiB, and 1024 KiB is the most. Make some shorter',
    );
    // The last megabyte is for owners, one after the other or together.
    expect(await fill(SIGNER)).toBe(17);
    const [one, ...others] = registry.automations();
    if (one !== undefined) await registry.remove(one.id);
    const ids = registry.newIds(2);
    const two = ids.map((id) => ({ ...wanted({ definition }), id }));
    await expect(registry.createAll(two)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
    expect(registry.automations()).toHaveLength(others.length);
  });

  test('may always become shorter, but not longer than its room, by whichever change', async () => {
    const { registry, fill, lamp, long, wanted, definition } = await openCrowd();
    const small = await registry.create(wanted({ signer: person(1) }));
    const change = (definition: typeof small.definition, signer = person(1)) => ({ definition, signer, note: null });
    await registry.save(small.id, change(definition));
    await fill(person(1));
    await registry.save(small.id, change(long(50 * KIB)));
    await registry.save(small.id, change(lamp(true)));
    await fill(person(1));
    await registry.create(wanted({ definition: long(30 * KIB), signer: person(1) }));
    const full = { code: 'LIMIT_REACHED' };
    await expect(registry.save(small.id, change(definition))).rejects.toMatchObject(full);
    await expect(registry.revert(small.id, { version: 2, signer: person(1), note: null })).rejects.toMatchObject(full);
    // Who signs it has it.
    const ofOwner = await registry.create(wanted({ definition }));
    await expect(registry.save(ofOwner.id, change(long(59 * KIB)))).rejects.toMatchObject(full);
    await expect(registry.sign(ofOwner.id, person(1))).rejects.toMatchObject(full);
    const together = [{ id: ofOwner.id, change: change(long(59 * KIB)), terms: {} }];
    const write = vi.fn<() => Promise<void>>(async () => undefined);
    await expect(registry.saveTogether(together, write)).rejects.toMatchObject(full);
    expect(write).not.toHaveBeenCalled();
    const own = registry.automations().find(({ signer, version }) => version === 1 && signer.user.name === 'Person 1');
    await registry.remove(own?.id ?? small.id);
    await fill(person(1));
    await expect(registry.restore(own?.id ?? small.id)).rejects.toMatchObject(full);
  });

  test('is all there after a restart, also beyond its room, and an owner can save something all the same', async () => {
    const { open, storage, fill, registry, definition, wanted } = await openCrowd();
    await fill(person(1));
    const [some] = registry.automations();
    if (some === undefined) throw new Error('nothing was saved');
    for (let at = 0; at < 100; at += 1) {
      const id = `c0000000-0000-7000-8000-0000000001${String(at).padStart(2, '0')}` as typeof some.id;
      await storage.automations.saveAutomations([{ record: { ...some, id, selector: `old-${at}` }, version: null }]);
    }
    const again = await open();
    expect(again.automations()).toHaveLength(116);
    for (let at = 0; at < 10; at += 1) await again.create(wanted({ definition }));
    await expect(again.create(wanted({ signer: person(2) }))).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
  });

  test('leaves the trash beyond a megabyte: the oldest of the person who has most there goes first', async () => {
    const { registry, wanted, definition, lamp, time } = await openCrowd();
    const kept = await registry.create(wanted({ definition: lamp(true), signer: person(1), name: 'Kept' }));
    await registry.remove(kept.id);
    for (let at = 0; at < 40; at += 1) {
      time.hubMs += 1_000;
      const { id } = await registry.create(wanted({ definition, signer: person(2), name: `Big ${at}` }));
      await registry.remove(id);
    }
    const names = registry.trash().map(({ name }) => name);
    expect(names).toHaveLength(17);
    expect(names).toContain('Kept');
    expect(names).toContain('Big 39');
    expect(names).not.toContain('Big 0');
  });
});
