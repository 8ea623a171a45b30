import { expect, test } from 'vitest';
import type { Command } from '#core/command/command.ts';
import { type CommandHome, openCommandHome } from '#test/support/hub/command-home.ts';

const take = (home: CommandHome, ...asked: Parameters<CommandHome['requestFor']>): Command =>
  home.commands.accept(...home.requestFor(...asked), null);
const now = (home: CommandHome, { id }: Command): Command | undefined => home.commands.findCommand(id);
const settle = (home: CommandHome): Promise<void> => home.time.advance(0);

test('a command takes evidence that comes after the send: more of it counts, and confirms what has no state', async () => {
  const home = await openCommandHome();
  const acknowledge = (keys: readonly string[], evidence: 'transport_ack' | 'device_ack'): void =>
    home.commands.reportAcknowledgement('radio', 'lamp', { keys, evidence });
  const pressed = take(home, 'lamp', 'identify');
  await settle(home);
  acknowledge(['identify'], 'device_ack');
  expect(now(home, pressed)).toMatchObject({ status: 'confirmed', evidence: 'device_ack' });
  const set = take(home, 'lamp', { on: true });
  await settle(home);
  acknowledge(['on'], 'device_ack');
  acknowledge(['on', 'brightness'], 'transport_ack');
  home.commands.reportAcknowledgement('other', 'lamp', { keys: ['on'], evidence: 'device_ack' });
  expect(now(home, set)).toMatchObject({ status: 'sent', evidence: 'device_ack' });
});

test('a command is not confirmed by values that the device had before the command', async () => {
  const home = await openCommandHome();
  const beforeMs = home.time.clock.wallMs() - 1;
  const command = take(home, 'lamp', { on: true });
  await settle(home);
  home.reports.reportValues('lamp', new Map([['on', true]]), beforeMs);
  expect(now(home, command)?.status).toBe('sent');
  home.reports.reportValues('lamp', new Map([['on', true]]), beforeMs + 1);
  expect(now(home, command)?.status).toBe('confirmed');
});
