import { expect, test } from 'vitest';
import type { Command, CommandResult } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { createCommandBar } from '#web/state/command-bar.ts';
import { createCommandEnds } from '#web/state/command-ends.ts';
import { createMessages } from '#web/state/messages.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const result = (device: string, status: CommandResult['status'], reason?: string): CommandResult => ({
  device,
  key: 'on',
  requested: true,
  observed: null,
  status,
  ...(reason === undefined ? {} : { reason: hubText(reason), code: 'COMMAND_FAILED' }),
});
const command = (
  status: Command['status'],
  results: readonly CommandResult[],
  undoes: string | null = null,
): Command => ({
  id: undoes === null ? 'c1' : 'c2',
  device: null,
  status,
  evidence: 'none',
  results,
  created_at: '',
  finished_at: null,
  cause: { command: undoes, scene: null, automation: null, run: null, depth: 0 },
  created_by: { type: 'session', id: 's' },
});

function openBar(answers: readonly (Command | Error)[]) {
  const asked: string[] = [];
  const left = [...answers];
  const messages = createMessages();
  const ends = createCommandEnds();
  let doubts = 0;
  const bar = createCommandBar({
    client: {
      give: (path) => {
        asked.push(path);
        const next = left.shift();
        return next instanceof Error || next === undefined
          ? Promise.reject(next ?? new Error('no answer is left'))
          : Promise.resolve(next);
      },
    },
    messages,
    ends,
    nameOf: (selector) => selector.toUpperCase(),
    onNoAnswer: () => (doubts += 1),
  });
  const shown = () => messages.list.value.map(({ text, details, tone }) => [text, tone, ...details]);
  return { bar, ends, messages, asked, shown, doubts: () => doubts };
}

test('one line says how many devices confirmed, and which did not and why', async () => {
  const { bar, shown } = openBar([
    command('failed', [
      result('lamp', 'confirmed'),
      { ...result('lamp', 'confirmed'), key: 'brightness' },
      result('plug', 'failed', 'it is offline'),
      result('blind', 'unconfirmed'),
    ]),
  ]);
  await bar.run('Movie night', '/scene/x/activate');
  expect(shown()).toEqual([
    ['Movie night · 1 of 3 confirmed', 'danger', 'PLUG: it is offline', 'BLIND: has not confirmed it'],
  ]);
});

test('the same line follows the command to its end, which may come after the answer', async () => {
  const { bar, ends, shown } = openBar([command('sent', [result('lamp', 'confirmed'), result('blind', 'sent')])]);
  await bar.run('Movie night', '/scene/x/activate');
  expect(shown()).toEqual([['Movie night · 1 of 2 confirmed so far', 'plain']]);
  const ended = command('confirmed', [result('lamp', 'confirmed'), result('blind', 'confirmed')]);
  ends.takeEvent({ id: '1', type: 'command.changed', data: { command: ended, at: '' } });
  expect(shown()).toEqual([['Movie night · 2 of 2 confirmed', 'plain']]);
});

test('many failures are a few lines and a number', async () => {
  const results = Array.from({ length: 9 }, (_, index) => result(`d${index}`, 'failed', 'offline'));
  const { bar, shown } = openBar([command('failed', results)]);
  await bar.run('All off', '/scene/x/activate');
  expect(shown()[0]).toHaveLength(2 + 5);
  expect(shown()[0]?.at(-1)).toBe('… and 5 more');
});

test('undo takes back the command of the line, and offers no undo of itself', async () => {
  const { bar, messages, asked, shown } = openBar([
    command('confirmed', [result('lamp', 'confirmed')]),
    command('confirmed', [result('lamp', 'confirmed')], 'c1'),
  ]);
  await bar.run('Movie night', '/scene/x/activate');
  messages.list.value[0]?.action?.run();
  await expect.poll(shown).toEqual([['Undone · 1 of 1 confirmed', 'plain']]);
  expect(asked).toEqual(['/scene/x/activate', '/command/c1/undo']);
  expect(messages.list.value[0]?.action).toBeNull();
});

test('two slow commands keep a line each, with the undo of each', async () => {
  const { bar, ends, messages, asked, shown } = openBar([
    command('sent', [result('lamp', 'sent')]),
    { ...command('sent', [result('blind', 'sent')]), id: 'c9' },
    command('confirmed', [result('lamp', 'confirmed')], 'c1'),
  ]);
  await bar.run('Kitchen off', '/command');
  await bar.run('Blinds down', '/command');
  const ended = { ...command('confirmed', [result('blind', 'confirmed')]), id: 'c9' };
  ends.takeEvent({ id: '1', type: 'command.changed', data: { command: ended, at: '' } });
  expect(shown()).toEqual([
    ['Kitchen off · 0 of 1 confirmed so far', 'plain'],
    ['Blinds down · 1 of 1 confirmed', 'plain'],
  ]);
  messages.list.value[0]?.action?.run();
  await expect.poll(shown).toEqual([
    ['Undone · 1 of 1 confirmed', 'plain'],
    ['Blinds down · 1 of 1 confirmed', 'plain'],
  ]);
  // The end of what was taken back says nothing more.
  const late = command('superseded', [result('lamp', 'superseded')]);
  ends.takeEvent({ id: '2', type: 'command.changed', data: { command: late, at: '' } });
  expect(shown()[0]).toEqual(['Undone · 1 of 1 confirmed', 'plain']);
  expect(messages.list.value[1]?.action).not.toBeNull();
  expect(asked).toEqual(['/command', '/command', '/command/c1/undo']);
});

test('what an undo leaves as it is does not count, and is named only where nothing else was asked of the device', async () => {
  const changed = 'The value has changed since then.';
  const { bar, shown } = openBar([
    command(
      'confirmed',
      [
        result('lamp', 'superseded', 'The command changed nothing.'),
        { ...result('lamp', 'confirmed'), key: 'brightness' },
        result('plug', 'superseded', changed),
      ],
      'c1',
    ),
  ]);
  await bar.undo('c1');
  expect(shown()).toEqual([['Undone · 1 of 1 confirmed', 'plain', `PLUG: ${changed}`]]);
});

test('a refusal is shown in words, and silence makes the page doubt the connection', async () => {
  const { bar, shown, doubts } = openBar([
    new HubProblem(409, { code: 'NOTHING_TO_UNDO', detail: hubText('Nothing is left to undo.') }, null),
    new TypeError('no network'),
  ]);
  expect(await bar.undo('c1')).toBeUndefined();
  expect(shown()).toEqual([['Nothing is left to undo.', 'danger']]);
  expect(await bar.run('Movie night', '/scene/x/activate')).toBeUndefined();
  expect(shown()[1]?.[0]).toMatch(/may or may not have been done/);
  expect(doubts()).toBe(1);
});

test('two who wait for the end of one command both get it', () => {
  const ends = createCommandEnds();
  const heard: string[] = [];
  ends.await(command('sent', []), () => heard.push('one'));
  ends.await(command('sent', []), () => heard.push('other'));
  ends.takeEvent({ id: '1', type: 'command.changed', data: { command: command('confirmed', []), at: '' } });
  expect(heard).toEqual(['one', 'other']);
});
