import { describe, expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { SendEvidence } from '#core/command/command-way.ts';
import { describeDevice, openCommandHome, type Sent } from '#test/support/hub/command-home.ts';

const IDS = Array.from({ length: 20 }, (_, index) => `lamp-${index}`);

async function openHome(outcomeOf: (command: Sent) => Promise<SendEvidence> = async () => 'transport_ack') {
  const home = await openCommandHome(IDS.map((id) => describeDevice(id)));
  const groups: string[][] = [];
  home.radio.sendGroup = (commands) => {
    groups.push(commands.map(({ externalId }) => externalId));
    return commands.map(outcomeOf);
  };
  const give = (ids: readonly string[]): string => home.commands.accept(...home.requestFor(ids, { on: true }), null).id;
  const outcome = (id: string): string[] =>
    (home.commands.findCommand(id)?.results ?? []).map(({ status, evidence }) => `${status} ${evidence}`);
  return { home, groups, give, outcome };
}

describe('a command for several devices of an integration that has groups', () => {
  test('reaches the integration at once and together, and each device confirms for itself', async () => {
    const { home, groups, give, outcome } = await openHome();
    const id = give(IDS);
    await home.time.advance(0);
    expect(groups).toEqual([IDS]);
    expect(home.wire).toEqual([]);
    expect(new Set(outcome(id))).toEqual(new Set(['sent transport_ack']));
    for (const externalId of IDS.slice(1)) home.report(externalId, { on: true });
    expect(outcome(id).filter((one) => one === 'confirmed state_report')).toHaveLength(19);
    await home.time.advance(10_000);
    expect(outcome(id)[0]).toBe('unconfirmed transport_ack');
  });

  test('leaves out a device that is still busy, which gets its own later', async () => {
    const { home, groups, give } = await openHome();
    let end: (evidence: SendEvidence) => void = () => undefined;
    home.radio.send = () => new Promise((resolve) => (end = resolve));
    home.commands.accept(...home.requestFor('lamp-3', { on: false }), null);
    await home.time.advance(0);
    give(IDS.slice(0, 5));
    await home.time.advance(0);
    expect(groups).toEqual([['lamp-0', 'lamp-1', 'lamp-2', 'lamp-4']]);
    end('transport_ack');
    await home.time.advance(0);
    expect(home.sent()).toEqual(['lamp-3 on=false', 'lamp-3 on=true']);
  });

  test('stays together when it takes over from an earlier one to all of them, and only the last one goes out', async () => {
    const { home, groups } = await openHome();
    const ends: ((evidence: SendEvidence) => void)[] = [];
    const levels: unknown[] = [];
    home.radio.sendGroup = (commands) => {
      groups.push(commands.map(({ externalId }) => externalId));
      levels.push(commands[0]?.set.get('brightness'));
      const sending = new Promise<SendEvidence>((resolve) => void ends.push(resolve));
      return commands.map(() => sending);
    };
    home.commands.accept(...home.requestFor(IDS, { brightness: 10 }), null);
    await home.time.advance(0);
    for (const brightness of [20, 30, 40]) home.commands.accept(...home.requestFor(IDS, { brightness }), null);
    await home.time.advance(0);
    expect(groups).toEqual([IDS, IDS]);
    expect(levels).toEqual([10, 40]);
  });

  test('fails for a single device without harm to the others', async () => {
    const { home, give, outcome } = await openHome(async ({ externalId }) => {
      if (externalId === 'lamp-1') throw new HubError('DEVICE_OFFLINE', 'It has no power.');
      return 'transport_ack';
    });
    const id = give(IDS.slice(0, 3));
    await home.time.advance(0);
    expect(outcome(id)).toEqual(['sent transport_ack', 'failed none', 'sent transport_ack']);
    expect(home.commands.findCommand(id)?.results[1]?.reason).toBe('It has no power.');
  });

  test('fails for all if the integration throws while it looks for groups', async () => {
    const { home, give, outcome } = await openHome();
    home.radio.findGroups = () => {
      throw new TypeError('a group of null');
    };
    const id = give(IDS.slice(0, 2));
    await home.time.advance(0);
    expect(outcome(id)).toEqual(['failed none', 'failed none']);
  });

  test('fails for all if the integration throws, or gives too few outcomes', async () => {
    const { home, give, outcome } = await openHome();
    home.radio.sendGroup = () => {
      throw new HubError('INTEGRATION_DOWN', 'Down.');
    };
    const thrown = give(IDS.slice(0, 2));
    await home.time.advance(0);
    expect(outcome(thrown)).toEqual(['failed none', 'failed none']);
    home.radio.sendGroup = ([first]) => (first === undefined ? [] : [Promise.resolve('transport_ack')]);
    const short = give(IDS.slice(2, 4));
    await home.time.advance(0);
    expect(outcome(short)).toEqual(['sent transport_ack', 'failed none']);
  });

  test('goes to a single device as a command of its own', async () => {
    const { home, groups, give } = await openHome();
    give(['lamp-7']);
    await home.time.advance(0);
    expect(groups).toEqual([]);
    expect(home.sent()).toEqual(['lamp-7 on=true']);
  });
});
