import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { Command } from '#core/command/command.ts';
import { describeDevice, openCommandHome, type CommandHome } from '#test/support/hub/command-home.ts';

const take = (home: CommandHome, ...wanted: Parameters<CommandHome['requestFor']>): Command =>
  home.commands.accept(...home.requestFor(...wanted), null);
const now = (home: CommandHome, { id }: Command): Command | undefined => home.commands.findCommand(id);
const picture = (home: CommandHome, command: Command): string[] =>
  (now(home, command)?.results ?? []).map(({ deviceId, feature, status, reason }) =>
    [home.registry.findDevice(deviceId)?.externalId, feature.key, status, reason ?? ''].join(' ').trim(),
  );
const settle = (home: CommandHome): Promise<void> => home.time.advance(0);

describe('A8: a command that was not sent yet', () => {
  const ENDED = 'The session or API token that asked for it has ended.';
  const NOT_ALLOWED = 'Its issuer may no longer do this.';
  const withdraw = ({ rights }: CommandHome, code: 'INVALID_TOKEN' | 'FORBIDDEN', only?: string): void => {
    rights.authorize = ({ externalId }) => {
      if (only === undefined || externalId === only) throw new HubError(code, 'no more');
    };
  };

  test.each([
    ['the session', 'INVALID_TOKEN', ENDED],
    ['the right', 'FORBIDDEN', NOT_ALLOWED],
  ] as const)('ends with %s when the rights are checked again', async (_, code, reason) => {
    const home = await openCommandHome([describeDevice('lamp'), describeDevice('lock', { type: 'door_lock' })]);
    home.reports.reportAvailability('lock', 'asleep', 'asleep');
    const queued = take(home, 'lock', { on: true });
    const sent = take(home, 'lamp', { on: true });
    await settle(home);
    home.commands.reviewRights();
    expect(now(home, queued)?.status).toBe('queued');
    withdraw(home, code);
    home.commands.reviewRights();
    expect(picture(home, queued)).toEqual([`lock on expired ${reason}`]);
    expect(home.statusesOf(queued.id)).toEqual(['queued', 'expired']);
    home.reports.reportAvailability('lock', 'online', null);
    await settle(home);
    expect([home.sent(), now(home, sent)?.status]).toEqual([['lamp on=true'], 'sent']);
  });

  test('ends right before the send, if no check came earlier', async () => {
    const home = await openCommandHome([describeDevice('lock', { type: 'door_lock' })]);
    home.reports.reportAvailability('lock', 'asleep', 'asleep');
    const queued = take(home, 'lock', { on: true });
    withdraw(home, 'FORBIDDEN');
    home.reports.reportAvailability('lock', 'online', null);
    await settle(home);
    expect([home.sent(), picture(home, queued)]).toEqual([[], [`lock on expired ${NOT_ALLOWED}`]]);
  });

  test('ends while it waits for the send of another command', async () => {
    const home = await openCommandHome();
    let release = (): void => undefined;
    home.radio.send = async () => {
      await new Promise<void>((resolve) => (release = resolve));
      return 'transport_ack';
    };
    take(home, 'lamp', { on: true });
    const queued = take(home, 'lamp', { brightness: 5 });
    await settle(home);
    withdraw(home, 'INVALID_TOKEN');
    release();
    await settle(home);
    expect([home.sent(), picture(home, queued)]).toEqual([['lamp on=true'], [`lamp brightness expired ${ENDED}`]]);
  });

  test('ends as soon as its device moves to a room without the right, and only at that device', async () => {
    const home = await openCommandHome([describeDevice('left'), describeDevice('right')]);
    for (const id of ['left', 'right']) home.reports.reportAvailability(id, 'asleep', 'asleep');
    const queued = take(home, ['left', 'right'], { on: true });
    withdraw(home, 'FORBIDDEN', 'left');
    const cellar = await home.rooms.addRoom('Cellar');
    await home.registry.updateDevice(home.device('left').id, { roomId: cellar.id });
    expect(picture(home, queued)).toEqual([`left on expired ${NOT_ALLOWED}`, 'right on queued']);
  });

  test('ends if its right cannot be checked', async () => {
    const home = await openCommandHome();
    home.reports.reportAvailability('lamp', 'asleep', 'asleep');
    const queued = take(home, 'lamp', { on: true });
    home.rights.authorize = () => {
      throw new Error('broken');
    };
    home.commands.reviewRights();
    expect(picture(home, queued)).toEqual([`lamp on expired ${NOT_ALLOWED}`]);
    expect(home.lines.join()).toContain('checking the right to a command failed');
  });
});
