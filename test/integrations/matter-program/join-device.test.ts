import { expect, test } from 'vitest';
import type { FromController } from '#integrations/matter/controller-message.ts';
import { type JoinDeps, type Joining, startJoining } from '#integrations/matter-program/controller/join-device.ts';
import { createJoins } from '#integrations/matter-program/controller/joins.ts';
import { NotKeptError } from '#integrations/matter-program/process/hub-channel.ts';
import { createNodeStore } from '#integrations/matter-program/process/node-store.ts';

const CODE = { discriminator: { bits: 12, value: 3840 }, passcode: 20_202_021, isOnNetwork: true } as const;

test.each([
  ['the disk is full', 'no_disk'],
  ['it is stopped at once', 'cancelled'],
] as const)('no device is looked for at the next start where none was asked, because %s', async (_why, fault) => {
  const said: FromController[] = [];
  const cancel = { now: (): void => undefined };
  const { driver } = createNodeStore(
    null,
    async () => {
      cancel.now();
      if (fault === 'no_disk') throw new NotKeptError();
    },
    {},
  );
  const joins = createJoins(driver, () => 7);
  const channel = { say: (message: FromController) => void said.push(message), fault: () => undefined };
  const joining: Joining = startJoining({ joins, channel } as unknown as JoinDeps);
  cancel.now = joining.cancel;
  await joining.take(CODE);
  expect(said).toMatchObject([{ type: 'not_commissioned', fault }]);
  expect(joins.open()).toBeNull();
});
