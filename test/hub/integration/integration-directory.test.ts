import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createIntegrationDirectory } from '#hub/integration/integration-directory.ts';
import type { Integration } from '#integrations/integration.ts';

type Hub = Parameters<typeof createIntegrationDirectory>[0];
type Dismiss = NonNullable<Integration['dismissDevices']>;
type Given = { readonly dismiss?: Dismiss; readonly names?: readonly string[]; readonly hasKeys?: boolean };

/** An integration whose devices have the keys of this home. */
function openDirectory({ dismiss, names = ['Hall', 'Attic'], hasKeys = true }: Given) {
  const removed: string[] = [];
  const hub = {
    instances: {
      find: () => ({ fixedBy: null }),
      kindOf: () => (hasKeys ? { removalHint: 'They forget this home.' } : {}),
      remove: async (id: string) => void removed.push(id),
    },
    supervisor: { findIntegration: () => (dismiss === undefined ? undefined : { dismissDevices: dismiss }) },
    safeMode: {},
    devices: {
      devicesOf: () => names.map((ownName) => ({ ownName, name: 'Lamp', externalId: ownName.toLowerCase() })),
    },
  };
  const directory = createIntegrationDirectory(hub as unknown as Hub);
  const given = { authorize: () => undefined, userId: 'ada', mayReachHub: false };
  return { removed, remove: (isForced: boolean) => directory.remove('matter', 'keep', { ...given, isForced }) };
}

const down: Dismiss = async () => {
  throw new HubError('INTEGRATION_DOWN', 'It does not run.');
};

test('an integration whose devices gave back their keys is removed', async () => {
  const { remove, removed } = openDirectory({ dismiss: async () => [] });
  await remove(false);
  expect(removed).toEqual(['matter']);
});

test('it stays while a device keeps them, whose name the refusal says, unless it is forced', async () => {
  const { remove, removed } = openDirectory({ dismiss: async () => ['attic'] });
  await expect(remove(false)).rejects.toMatchObject({
    code: 'DEVICE_OFFLINE',
    message: expect.stringMatching(/home: Attic\. /) as unknown,
  });
  expect(removed).toEqual([]);
  await remove(true);
  expect(removed).toEqual(['matter']);
});

test.each([
  ['does not run', undefined],
  ['has no program', down],
] as const)('one that %s stays while it has devices, unless it is forced', async (_what, dismiss) => {
  const own = dismiss === undefined ? {} : { dismiss };
  const { remove, removed } = openDirectory(own);
  await expect(remove(false)).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  expect(removed).toEqual([]);
  await remove(true);
  expect(removed).toEqual(['matter']);
  const empty = openDirectory({ ...own, names: [] });
  await empty.remove(false);
  expect(empty.removed).toEqual(['matter']);
});

test('a fault that no device has caused stops a forced removal too', async () => {
  const failure = new Error('a bug');
  const { remove, removed } = openDirectory({ dismiss: () => Promise.reject(failure) });
  await expect(remove(true)).rejects.toBe(failure);
  expect(removed).toEqual([]);
});

test('devices without keys of this home are asked nothing', async () => {
  const { remove, removed } = openDirectory({ hasKeys: false });
  await remove(false);
  expect(removed).toEqual(['matter']);
});
