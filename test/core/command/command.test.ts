import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '#base/json.ts';
import {
  type Command,
  type CommandId,
  EVIDENCES,
  commandAcknowledged,
  commandEnded,
  commandObserved,
  commandSent,
  commandSuperseded,
  createCommand,
  isFinished,
  queuedPart,
} from '#core/command/command.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { UserId } from '#core/person/user.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const LAMP = 'lamp' as DeviceId;
const BLIND = 'blind' as DeviceId;
const FEATURES = [
  createFeature('on'),
  createFeature('brightness', { valueType: 'number', unit: 'percent', min: 0, max: 100 }),
  createFeature('identify', { kind: 'action', valueType: 'none' }),
  createFeature('pulse', { valueType: 'number', readable: false }),
];

function plan(
  targets: [DeviceId, Record<string, JsonValue>, (string | undefined)?][],
): Parameters<typeof createCommand>[0] {
  return {
    id: 'command' as CommandId,
    isForOne: targets.length === 1,
    transitionMs: null,
    createdAtMs: 0,
    createdBy: { type: 'session', id: 'session', userId: 'user' as UserId },
    cause: DIRECT,
    settled: [],
    targets: new Map(
      targets.map(([id, set, action]) => [
        { id, selector: id, features: FEATURES },
        { externalId: id, set: new Map(Object.entries(set)), action: action ?? null, transitionMs: null },
      ]),
    ),
  };
}
const create = (set: Record<string, JsonValue>, action?: string): Command => createCommand(plan([[LAMP, set, action]]));
const sent = (command: Command): Command => commandSent(command, {}, 1);
const observed = (command: Command, ...[key, value, deviceId = LAMP]: [string, JsonValue, DeviceId?]): Command =>
  commandObserved(command, { deviceId, key, value }, 5);
const picture = ({ status, evidence, finishedAtMs, results }: Command) => ({
  status,
  evidence,
  finishedAtMs,
  results: results.map(
    (result) => `${result.feature.key} ${result.status} ${result.evidence} ${JSON.stringify(result.observed)}`,
  ),
});

describe('a request for states', () => {
  test('is queued, then sent, then confirmed once every feature has reported it', () => {
    const first = create({ on: true, brightness: 60 });
    expect(picture(first)).toEqual({
      status: 'queued',
      evidence: 'none',
      finishedAtMs: null,
      results: ['on queued none null', 'brightness queued none null'],
    });
    const half = observed(commandAcknowledged(sent(first), { evidence: 'transport_ack' }, 2), 'on', true);
    expect(picture(half)).toMatchObject({ status: 'sent', evidence: 'transport_ack', finishedAtMs: null });
    expect(picture(observed(half, 'brightness', 60.4))).toEqual({
      status: 'confirmed',
      evidence: 'state_report',
      finishedAtMs: 5,
      results: ['on confirmed state_report true', 'brightness confirmed state_report 60.4'],
    });
  });

  test('notes other values on the way, and ends unconfirmed if the requested one never comes', () => {
    const moving = observed(sent(create({ brightness: 60 })), 'brightness', 30);
    expect(picture(moving)).toMatchObject({ status: 'sent', results: ['brightness sent none 30'] });
    const late = commandEnded(moving, { status: 'unconfirmed' }, 9);
    expect(picture(late)).toMatchObject({ status: 'unconfirmed', finishedAtMs: 9 });
    expect(observed(late, 'brightness', 60)).toBe(late);
  });

  test("is not confirmed by only the device's acknowledgement", () => {
    const acknowledged = commandAcknowledged(sent(create({ on: true })), { evidence: 'device_ack' }, 2);
    expect(picture(acknowledged)).toMatchObject({ status: 'sent', evidence: 'device_ack' });
  });

  test('is not confirmed by a report from before it was sent', () => {
    const queued = create({ on: true });
    expect(observed(queued, 'on', true)).toBe(queued);
  });

  test('fails with a reason for people', () => {
    const failed = commandEnded(sent(create({ on: true })), { status: 'failed', reason: 'jammed' }, 3);
    expect(failed).toMatchObject({ status: 'failed', finishedAtMs: 3 });
    expect(failed.results[0]?.reason).toBe('jammed');
  });
});

describe('a request for a feature without state', () => {
  test.each<[Record<string, JsonValue>, string | undefined]>([
    [{}, 'identify'],
    [{ pulse: 3 }, undefined],
  ])('(%j %s) is confirmed by the acknowledgement of the device, not of the transport', (set, action) => {
    const onWire = commandAcknowledged(sent(create(set, action)), { evidence: 'transport_ack' }, 2);
    expect(onWire.status).toBe('sent');
    expect(commandAcknowledged(onWire, { evidence: 'device_ack' }, 3)).toMatchObject({
      status: 'confirmed',
      evidence: 'device_ack',
      finishedAtMs: 3,
    });
  });
});

describe('a queued request', () => {
  test('has only the part that is still to send', () => {
    const command = create({ on: true, brightness: 5 });
    const newer = create({ on: false });
    const lamp = { id: LAMP, externalId: 'lamp-1' };
    const part = { externalId: 'lamp-1', set: new Map<string, JsonValue>(), action: null, transitionMs: null };
    const both = new Map<string, JsonValue>([
      ['on', true],
      ['brightness', 5],
    ]);
    expect(queuedPart(command, lamp)).toEqual({ ...part, set: both });
    expect(queuedPart(create({}, 'identify'), lamp)).toEqual({ ...part, action: 'identify' });
    expect(queuedPart(command, { ...lamp, id: BLIND })).toBeUndefined();
    const less = commandSuperseded(command, newer, 1);
    expect(queuedPart(less, lamp)).toEqual({ ...part, set: new Map([['brightness', 5]]) });
    expect(queuedPart(sent(command), lamp)).toBeUndefined();
  });

  test('expires only where it was not sent, and is unconfirmed only where it was', () => {
    const both = createCommand(
      plan([
        [LAMP, { on: true }],
        [BLIND, { on: true }],
      ]),
    );
    const partly = commandSent(both, { deviceId: LAMP }, 1);
    expect(commandEnded(partly, { status: 'expired' }, 2).results.map(({ status }) => status)).toEqual([
      'sent',
      'expired',
    ]);
    expect(commandEnded(partly, { status: 'unconfirmed' }, 2).results.map(({ status }) => status)).toEqual([
      'unconfirmed',
      'queued',
    ]);
  });
});

describe('a request for several devices', () => {
  const both = createCommand(
    plan([
      [LAMP, { on: true }],
      [BLIND, { on: true }],
    ]),
  );

  test('keeps the results of the devices apart', () => {
    const one = observed(sent(both), 'on', true, BLIND);
    expect(one.results.map(({ deviceId, status }) => `${deviceId} ${status}`)).toEqual([
      'lamp sent',
      'blind confirmed',
    ]);
    expect(one).toMatchObject({ status: 'sent', evidence: 'none', finishedAtMs: null });
  });

  test('is as good as its worst device', () => {
    const failed = commandEnded(sent(both), { status: 'failed', deviceId: LAMP }, 2);
    expect(observed(failed, 'on', true, BLIND)).toMatchObject({ status: 'failed', finishedAtMs: 5 });
  });
});

test('a newer request takes over only its features of its device from an older one', () => {
  const older = sent(
    createCommand(
      plan([
        [LAMP, { on: true, brightness: 5 }],
        [BLIND, { on: true }],
      ]),
    ),
  );
  const after = commandSuperseded(older, createCommand(plan([[LAMP, { on: false }]])), 4);
  expect(after.results.map(({ status }) => status)).toEqual(['superseded', 'sent', 'sent']);
  expect(observed(after, 'on', true).results[0]?.status).toBe('superseded');
});

type Step = (command: Command) => Command;
const deviceId = fc.constantFrom(LAMP, BLIND);
const key = fc.constantFrom('on', 'brightness', 'identify', 'pulse');
const filter = fc.record({ deviceId, keys: fc.uniqueArray(key) }, { requiredKeys: [] });
const wanted = fc.dictionary(fc.constantFrom('on', 'brightness', 'pulse'), fc.constantFrom<JsonValue>(true, 5, 60), {
  minKeys: 1,
});
const anyCommand = fc
  .record({ lamp: wanted, blind: fc.option(wanted), action: fc.constantFrom(undefined, 'identify') })
  .map(({ lamp, blind, action }) =>
    createCommand(
      plan(
        blind === null
          ? [[LAMP, lamp, action]]
          : [
              [LAMP, lamp, action],
              [BLIND, blind],
            ],
      ),
    ),
  );
const step: fc.Arbitrary<Step> = fc.oneof(
  filter.map(
    (f): Step =>
      (c) =>
        commandSent(c, f, 1),
  ),
  fc.tuple(filter, fc.constantFrom('none', 'transport_ack', 'device_ack')).map(
    ([f, evidence]): Step =>
      (c) =>
        commandAcknowledged(c, { ...f, evidence }, 2),
  ),
  fc.record({ deviceId, key, value: fc.constantFrom<JsonValue>(true, false, 5, 60, null) }).map(
    (report): Step =>
      (c) =>
        commandObserved(c, report, 3),
  ),
  fc.tuple(filter, fc.constantFrom('unconfirmed', 'superseded', 'expired', 'failed')).map(
    ([f, status]): Step =>
      (c) =>
        commandEnded(c, { ...f, status }, 4),
  ),
  anyCommand.map(
    (newer): Step =>
      (c) =>
        commandSuperseded(c, newer, 5),
  ),
);

/** Each two successive states in a history. */
function lives(check: (before: Command, after: Command) => void): void {
  fc.assert(
    fc.property(anyCommand, fc.array(step, { maxLength: 20 }), (start, steps) => {
      let command = start;
      for (const next of steps) {
        const after = next(command);
        check(command, after);
        command = after;
      }
    }),
    searchOf(500),
  );
}

describe('in every history of a command', () => {
  test('a finished result never changes', () => {
    lives((before, after) => {
      const changed = before.results.filter((result, index) => isFinished(result) && after.results[index] !== result);
      expect(changed).toEqual([]);
      expect(isFinished(before) ? after : null).toBe(isFinished(before) ? before : null);
    });
  });

  test('evidence never gets weaker, in a result or in the whole command', () => {
    const rank = ({ evidence }: Pick<Command, 'evidence'>): number => EVIDENCES.indexOf(evidence);
    lives((before, after) => {
      expect(rank(after)).toBeGreaterThanOrEqual(rank(before));
      for (const [index, result] of before.results.entries()) {
        expect(rank(after.results[index] ?? { evidence: 'none' })).toBeGreaterThanOrEqual(rank(result));
      }
    });
  });

  test('nothing returns to queued, and nothing that was never sent is confirmed', () => {
    lives((before, after) => {
      for (const [index, result] of before.results.entries()) {
        const status = after.results[index]?.status;
        expect(result.status !== 'queued' && status === 'queued').toBe(false);
        expect(result.status === 'queued' && (status === 'confirmed' || status === 'unconfirmed')).toBe(false);
      }
    });
  });

  test('it is finished exactly when all its results are, and then has a time of its end', () => {
    lives((_, after) => {
      expect(isFinished(after)).toBe(after.results.every(isFinished));
      expect(after.finishedAtMs !== null).toBe(isFinished(after));
    });
  });

  test('a newer command for the same feature leaves no older one waiting for it', () => {
    fc.assert(
      fc.property(anyCommand, fc.array(step, { maxLength: 8 }), anyCommand, (start, steps, newer) => {
        const older = commandSuperseded(
          steps.reduce((command, next) => next(command), start),
          newer,
          9,
        );
        const waiting = older.results.filter((result) => !isFinished(result));
        const both = waiting.filter((result) =>
          newer.results.some((other) => other.deviceId === result.deviceId && other.feature.key === result.feature.key),
        );
        expect(both).toEqual([]);
      }),
      searchOf(100),
    );
  });
});
