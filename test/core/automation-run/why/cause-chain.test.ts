import { describe, expect, test } from 'vitest';
import { chainOfChange, chainOfCommand, type ChangeSeen } from '#core/automation-run/why/cause-chain.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { type Cause, DIRECT } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { UserId } from '#core/person/user.ts';
import { AUTOMATION, trace, TRIGGER } from '#test/core/automation-run/trace/trace-makers.ts';

const ADA: Issuer = { type: 'session', id: 's1', userId: 'ada' as UserId };
const RULE: Issuer = { type: 'automation', id: AUTOMATION, userId: 'ada' as UserId };
const LAMP = 'hall-lamp' as DeviceId;

function byRun(run: string, command: string | null = null, depth = 1): Cause {
  return { ...DIRECT, command, automation: AUTOMATION, run, depth };
}

function commandOf(id: string, createdBy: Issuer, cause: Cause): [string, Command] {
  return [id, { id, createdBy, cause, results: [], createdAtMs: 7, status: 'confirmed' } as unknown as Command];
}

function chain(
  change: Partial<ChangeSeen>,
  { runs = [], commands = [] }: { runs?: readonly AutomationRun[]; commands?: readonly [string, Command][] } = {},
) {
  const kept = new Map(commands);
  const find = {
    findCommand: (id: string) => kept.get(id),
    findRun: (id: string) => runs.find((run) => run.id === id),
  };
  const seen = { device: LAMP, key: 'on', value: true, atMs: 9, cause: null, by: null, isSeen: true, ...change };
  const { links, origin } = chainOfChange(find, seen);
  return { types: links.map(({ type }) => type).join(' '), origin, find, links };
}

describe('the chain of causes of a change', () => {
  test('goes over the command, the run and its trigger to the report of a sensor', () => {
    const runs = [trace(5, 'finished', { id: 'r1' })];
    const commands = [commandOf('c1', RULE, byRun('r1'))];
    const found = chain({ cause: byRun('r1', 'c1'), by: RULE }, { runs, commands });
    expect(found).toMatchObject({ types: 'change command run trigger', origin: 'report' });
    expect(found.links[1]).toMatchObject({ id: 'c1', by: RULE, command: { createdAtMs: 7 } });
  });

  test('goes on over automations that started one another to the person who gave the first command', () => {
    const first = trace(5, 'finished', { id: 'r1', trigger: { ...TRIGGER, cause: { ...DIRECT, command: 'c0' } } });
    const second = trace(6, 'finished', { id: 'r2', trigger: { ...TRIGGER, cause: byRun('r1', 'c1') } });
    const commands = [
      commandOf('c0', ADA, DIRECT),
      commandOf('c1', RULE, byRun('r1')),
      commandOf('c2', RULE, byRun('r2', null, 2)),
    ];
    expect(chain({ cause: byRun('r2', 'c2', 2), by: RULE }, { runs: [first, second], commands })).toMatchObject({
      types: 'change command run trigger command run trigger command',
      origin: 'person',
    });
  });

  test.each([
    ['a hand, where nobody commanded what a hand can move', { key: 'on' }, 'hand'],
    ['a report, where it is measured', { key: 'temperature' }, 'report'],
    ['unknown, where the hub was off or lines were left out', { key: 'on', isSeen: false }, 'unknown'],
    ['a person, though the command is not kept any more', { cause: { ...DIRECT, command: 'gone' }, by: ADA }, 'person'],
    ['unknown, where neither command nor issuer is kept', { cause: { ...DIRECT, command: 'gone' } }, 'unknown'],
    ['unknown, where the run is not kept any more', { cause: byRun('gone', 'c1'), by: RULE }, 'unknown'],
  ] as const)('begins with %s', (_, change, origin) => {
    expect(chain(change).origin).toBe(origin);
  });

  test.each([
    ['schedule', { type: 'time', device: null, key: null }],
    ['start', { type: 'run', device: null, key: null, cause: DIRECT }],
    ['other', { type: 'mode', device: null, key: null }],
    ['hand', { key: 'on' }],
    ['report', { key: 'button', action: 'single' }],
  ] as const)('begins with %s by the trigger of the run', (origin, trigger) => {
    const runs = [trace(5, 'finished', { id: 'r1', trigger: { ...TRIGGER, ...trigger } })];
    expect(chain({ cause: byRun('r1', 'c1'), by: RULE }, { runs }).origin).toBe(origin);
  });

  test('ends, even if the data of runs go in a circle', () => {
    const runs = [trace(5, 'finished', { id: 'r1', trigger: { ...TRIGGER, cause: byRun('r1', 'c1') } })];
    expect(chain({ cause: byRun('r1', 'c1'), by: RULE }, { runs })).toMatchObject({ origin: 'unknown' });
  });

  test('an undo begins with the person who asked for it, not with the command that it undoes', () => {
    const { find } = chain({});
    const undo = commandOf('c2', ADA, { ...DIRECT, command: 'c1' })[1];
    expect(chainOfCommand(find, undo)).toMatchObject({ origin: 'person', links: [{ type: 'command', id: 'c2' }] });
  });
});
