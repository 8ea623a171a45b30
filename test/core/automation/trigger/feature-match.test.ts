import { describe, expect, test } from 'vitest';
import { deviceWith, stageOf } from '#test/support/automation/trigger-stage.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { FeatureTrigger } from '#core/automation/document/trigger.ts';

const device = 'door' as DeviceId;
const OPEN: FeatureTrigger = { id: 't1', type: 'feature', device, key: 'open', to: true };
const opens = (part: Partial<FeatureTrigger> = {}) => stageOf({ ...OPEN, ...part });

describe('a trigger of a feature', () => {
  test('fires at a change to its value and at no repetition', () => {
    const door = opens()
      .set('door open', false)
      .at(5)
      .set('door open', true)
      .at(6)
      .set('door open', true)
      .at(9)
      .set('door open', false);
    expect(door.fired).toEqual([5]);
    expect(door.facts).toEqual([true]);
  });

  test('does not fire at the first value, and says so', () => {
    const door = opens().at(1).set('door open', true);
    expect(door.fired).toEqual([]);
    expect(door.near).toEqual([{ why: 'first_value', atS: 1 }]);
  });

  test.each([
    ['a value from before a restart that is reported again', { value: false, quality: 'restored' }, false, []],
    ['a value that is another than before the restart', { value: false, quality: 'restored' }, true, [2]],
  ] as const)('treats %s as what it is', (...[, before, after, fired]) => {
    expect(opens().set('door open', before).at(2).set('door open', after).fired).toEqual(fired);
  });

  test('takes no notice of quality', () => {
    const door = opens({ to: '*' })
      .set('door open', true)
      .at(2)
      .set('door open', { value: true, quality: 'stale' })
      .at(3)
      .set('door open', true);
    expect(door.fired).toEqual([]);
  });

  test('waits for a report of what was only sent, unless it says otherwise', () => {
    const play = (door: ReturnType<typeof opens>) =>
      door
        .set('door open', false)
        .at(2)
        .set('door open', { value: true, quality: 'assumed' })
        .at(3)
        .set('door open', true).fired;
    expect(play(opens())).toEqual([3]);
    expect(play(opens({ assumed: true }))).toEqual([2]);
  });

  test('knows what it was before', () => {
    const climate = stageOf({ id: 't1', type: 'feature', device, key: 'open', from: ['a', 'b'], to: ['c', 'd'] });
    climate
      .set('door open', 'a')
      .at(1)
      .set('door open', 'c')
      .at(2)
      .set('door open', 'd')
      .at(3)
      .set('door open', 'b')
      .at(4)
      .set('door open', 'd');
    expect(climate.fired).toEqual([1, 4]);
    expect(climate.near).toEqual([{ why: 'from_was', value: 'c', atS: 2 }]);
  });

  test('knows whether a hand did it', () => {
    const lamp = stageOf({ id: 't1', type: 'feature', device, key: 'on', to: true, by: 'hand' });
    lamp.set('door on', false).at(1).set('door on', { value: true, cause: DIRECT });
    lamp.at(2).set('door on', false).at(3).set('door on', true);
    expect(lamp.fired).toEqual([3]);
    expect(lamp.near).toEqual([{ why: 'moved_by', by: 'hub', atS: 1 }]);
  });
});

describe('a trigger that waits until something was so for a time', () => {
  const held = () => opens({ for_s: 60 }).set('door open', false);

  test('fires when the time is over', () => {
    expect(held().at(5).set('door open', true).at(200).fired).toEqual([65]);
  });

  test('does not fire if it ended before, and says after how long', () => {
    const door = held().at(5).set('door open', true).at(64).set('door open', false).at(200);
    expect(door.fired).toEqual([]);
    expect(door.near).toEqual([{ why: 'for_cancelled', afterMs: 59_000, ofMs: 60_000, by: 'value', atS: 64 }]);
  });

  test('goes on over a time in which nobody knows', () => {
    const door = held()
      .at(5)
      .set('door open', true)
      .at(20)
      .reach('door', 'offline')
      .at(30)
      .reach('door', 'online')
      .at(200);
    expect(door.fired).toEqual([65]);
  });

  test('fires as soon as the value is known again, if its time passed meanwhile', () => {
    const door = held()
      .at(5)
      .set('door open', true)
      .at(20)
      .reach('door', 'offline')
      .at(100)
      .reach('door', 'online')
      .at(200);
    expect(door.fired).toEqual([100]);
  });

  test('ends where nobody knows for too long', () => {
    const door = held()
      .at(5)
      .set('door open', true)
      .at(20)
      .reach('door', 'offline')
      .at(500)
      .reach('door', 'online')
      .at(900);
    expect(door.fired).toEqual([]);
    expect(door.near).toEqual([{ why: 'for_cancelled', afterMs: 315_000, ofMs: 60_000, by: 'unknown', atS: 320 }]);
  });

  test('ends where the value comes back as another', () => {
    const door = held()
      .at(5)
      .set('door open', true)
      .at(20)
      .reach('door', 'offline')
      .at(30)
      .set('door open', false)
      .at(31)
      .reach('door', 'online')
      .at(200);
    expect(door.fired).toEqual([]);
  });

  test('ends with its device', () => {
    const door = held().at(5).set('door open', true).at(20).remove('door open').at(900);
    expect(door.fired).toEqual([]);
  });

  test('counts from the last change, where several values fit', () => {
    const mode = opens({ to: ['heat', 'cool'], for_s: 60 })
      .set('door open', 'off')
      .at(5)
      .set('door open', 'heat')
      .at(30)
      .set('door open', 'cool');
    expect(mode.at(200).fired).toEqual([90]);
  });

  test('as a wait, counts the time for which it has been so already', () => {
    const waiting = () => opens({ for_s: 60 }).set('door open', false).at(10).reach('door', 'online');
    const door = waiting().set('door open', true);
    expect(door.at(30).begin(true).at(200).fired).toEqual([70]);
    const early = stageOf({ ...OPEN, for_s: 60 });
    early.at(10).set('door open', true).at(300).begin(true);
    expect(early.fired).toEqual([300]);
  });
});

describe('a trigger of any device that fits', () => {
  const motion = (part: Partial<FeatureTrigger> = {}) =>
    stageOf({ id: 't1', type: 'feature', any_of: { capability: 'motion' }, to: true, ...part }, [
      deviceWith('hall', ['motion']),
      deviceWith('stairs', ['motion', 'illuminance']),
      deviceWith('lamp', ['on']),
    ]);

  test('fires for each of them', () => {
    const sensors = motion().set('hall motion', false).set('stairs motion', false).set('lamp on', false);
    sensors.at(1).set('stairs motion', true).at(2).set('hall motion', true).at(3).set('lamp on', true);
    expect(sensors.fired).toEqual([1, 2]);
  });

  test('waits for each by itself', () => {
    const sensors = motion({ for_s: 10 }).set('hall motion', false).set('stairs motion', false);
    sensors.at(1).set('stairs motion', true).at(5).set('hall motion', true).at(6).set('stairs motion', false).at(60);
    expect(sensors.fired).toEqual([15]);
  });

  test('waits until all of them are so', () => {
    const sensors = motion({ all: true, to: false, for_s: 10 }).set('hall motion', true).set('stairs motion', true);
    sensors.at(1).set('hall motion', false).at(20).set('stairs motion', false).at(25).set('hall motion', true);
    sensors.at(26).set('hall motion', false).at(60);
    expect(sensors.fired).toEqual([36]);
    expect(sensors.near.map(({ why }) => why)).toEqual(['not_all', 'for_cancelled']);
  });

  test('does not take a sensor that nobody can ask for one that is so', () => {
    const sensors = motion({ all: true, to: false }).set('hall motion', true).set('stairs motion', false);
    sensors.at(1).reach('stairs', 'offline').at(2).set('hall motion', false).at(9).reach('stairs', 'online');
    expect(sensors.fired).toEqual([9]);
  });

  test('as a wait, finds all of them so already', () => {
    const sensors = motion({ all: true, to: false, for_s: 60 })
      .at(5)
      .set('hall motion', false)
      .at(8)
      .set('stairs motion', false);
    expect(sensors.at(30).begin(true).at(100).fired).toEqual([68]);
  });
});
