import { expect, test } from 'vitest';
import type { CommandWay, DeviceCommand } from '#core/command/command-way.ts';
import type { CommandId } from '#core/command/command.ts';
import { createSendLanes, type SendLanes } from '#core/command/send-lanes.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const PACE = { messages: 2, everyMs: 100 };

function openLanes() {
  const time = createManualTime();
  const lanes = createSendLanes(time);
  const sent: string[] = [];
  const way = {
    pace: PACE,
    send: async ({ externalId }: DeviceCommand) => {
      sent.push(externalId);
      return 'transport_ack' as const;
    },
  } as unknown as CommandWay;
  const give = (name: string, broken: Partial<Parameters<SendLanes['send']>[1]> = {}): Promise<unknown> =>
    lanes.send('radio', {
      way,
      commandId: name as CommandId,
      request: () => ({ externalId: name, set: new Map(), action: null, transitionMs: null }),
      begin: () => undefined,
      ...broken,
    });
  return { time, sent, give };
}

const fail = (): never => {
  throw new Error('a bug');
};

test('a command that fails on its way out gets the reason, and holds up none behind it', async () => {
  for (const broken of [{ request: fail }, { begin: fail }]) {
    const { time, sent, give } = openLanes();
    const all = [give('a'), give('b'), give('broken', broken), give('c'), give('d')];
    const ends = Promise.allSettled(all);
    await time.advance(100);
    expect(sent).toEqual(['a', 'b', 'c', 'd']);
    expect((await ends).map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
  }
});
