import { describe, expect, test } from 'vitest';
import { deviceWith, stageOf } from '#test/support/automation/trigger-stage.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Happening } from '#core/automation/trigger/happening.ts';
import type { Trigger } from '#core/automation/document/trigger.ts';
import type { DeviceId } from '#core/device/device.ts';

const device = 'remote' as DeviceId;
const pressed = (action: string, count?: number): Happening => ({
  kind: 'occurrence',
  device,
  key: 'button',
  occurrence: { action, raw: `raw_${action}`, ...(count === undefined ? {} : { count }) },
});
const BUTTON = { id: 't1', type: 'occurrence', device, key: 'button' } as const;

describe('a trigger that fires at once', () => {
  test.each<[words: string, Trigger, Happening, isFired: boolean]>([
    ['any press', BUTTON, pressed('single'), true],
    ['this press', { ...BUTTON, action: ['single', 'double'] }, pressed('double'), true],
    ['another press', { ...BUTTON, action: 'single' }, pressed('hold'), false],
    ['a press of another button', { ...BUTTON, key: 'left.button' }, pressed('single'), false],
    ['so many presses', { ...BUTTON, count: 2 }, pressed('multi', 2), true],
    ['one press without a number', { ...BUTTON, count: 1 }, pressed('single'), true],
    ['the word of the maker', { ...BUTTON, raw: 'raw_single' }, pressed('single'), true],
    ['another word of the maker', { ...BUTTON, raw: 'raw' }, pressed('single'), false],
    ['the start', { id: 't1', type: 'hub', on: 'started' }, { kind: 'hub', on: 'started', integration: null }, true],
    [
      'another moment',
      { id: 't1', type: 'hub', on: 'clock_set' },
      { kind: 'hub', on: 'started', integration: null },
      false,
    ],
    [
      'this integration',
      { id: 't1', type: 'hub', on: 'integration_up', integration: 'hue' },
      { kind: 'hub', on: 'integration_up', integration: 'hue' },
      true,
    ],
    [
      'another integration',
      { id: 't1', type: 'hub', on: 'integration_up', integration: 'hue' },
      { kind: 'hub', on: 'integration_up', integration: 'wled' },
      false,
    ],
    [
      'its outcome',
      { id: 't1', type: 'automation', automation: 'a' as AutomationId, outcome: 'failed' },
      { kind: 'automation', automation: 'a' as AutomationId, outcome: 'failed' },
      true,
    ],
    [
      'another outcome',
      { id: 't1', type: 'automation', automation: 'a' as AutomationId, outcome: 'failed' },
      { kind: 'automation', automation: 'a' as AutomationId, outcome: 'finished' },
      false,
    ],
    ['a time', { id: 't1', type: 'time', at: '07:00' }, { kind: 'time', atMs: 1, lateMs: 5 }, true],
    ['a hook', { id: 't1', type: 'hook' }, { kind: 'hook', body: { a: 1 } }, true],
  ])('knows %s', (...[, trigger, happening, isFired]) => {
    expect(stageOf(trigger).give(happening).fired).toEqual(isFired ? [0] : []);
  });
});

describe('a trigger of a mode', () => {
  test('fires at its value, from where it says', () => {
    const mode = stageOf({ id: 't1', type: 'mode', mode: 'home', to: 'away', from: ['home', 'night'] });
    mode
      .mode('home', 'home')
      .at(1)
      .mode('home', 'away')
      .at(2)
      .mode('home', 'vacation')
      .at(3)
      .mode('home', 'away')
      .at(4)
      .mode('heating', 'away');
    expect(mode.fired).toEqual([1]);
    expect(mode.near).toEqual([{ why: 'from_was', value: 'vacation', atS: 3 }]);
  });

  test('waits until it was so for a time', () => {
    const mode = stageOf({ id: 't1', type: 'mode', mode: 'home', to: 'away', for_s: 60 });
    mode.mode('home', 'away').at(30).mode('home', 'home').at(40).mode('home', 'away').at(200);
    expect(mode.fired).toEqual([100]);
  });
});

describe('a trigger of presence', () => {
  test('fires when the last one leaves, and not because the hub does not know', () => {
    const left = stageOf({ id: 't1', type: 'presence', person: 'everyone', to: 'away' });
    left.presence('anna', 'home').presence('ben', 'home').at(1).presence('ben', 'away');
    left
      .at(2)
      .presence('anna', 'unknown')
      .at(3)
      .presence('anna', 'away')
      .at(4)
      .presence('ben', 'unknown')
      .at(5)
      .presence('ben', 'away');
    expect(left.fired).toEqual([3]);
  });

  test('fires when the first one comes', () => {
    const come = stageOf({ id: 't1', type: 'presence', person: 'anyone', to: 'home' });
    come.presence('anna', 'away').presence('ben', 'away').at(1).presence('ben', 'home').at(2).presence('anna', 'home');
    expect(come.fired).toEqual([1]);
  });

  test('of one person takes no notice of another', () => {
    const anna = stageOf({ id: 't1', type: 'presence', person: 'anna', to: 'home' });
    anna.presence('anna', 'away').presence('ben', 'home').at(3).presence('anna', 'home');
    expect(anna.fired).toEqual([3]);
  });
});

describe('a trigger of availability', () => {
  test('fires when a device goes away, and again after it came back', () => {
    const gone = stageOf({ id: 't1', type: 'availability', device, to: 'offline' });
    gone
      .reach('remote', 'online')
      .at(1)
      .reach('remote', 'offline')
      .at(2)
      .reach('remote', 'unknown')
      .at(3)
      .reach('remote', 'offline');
    gone.at(4).reach('remote', 'asleep').at(5).reach('remote', 'offline');
    expect(gone.fired).toEqual([1, 5]);
  });

  test('waits for each device that fits', () => {
    const gone = stageOf(
      { id: 't1', type: 'availability', any_of: { capability: 'motion' }, to: 'offline', for_s: 60 },
      [deviceWith('hall', ['motion']), deviceWith('lamp', ['on'])],
    );
    gone.begin().at(1).reach('lamp', 'offline').reach('hall', 'offline').at(200);
    expect(gone.fired).toEqual([61]);
  });

  test('of an integration fires when that goes away for a time', () => {
    const gone = stageOf({ id: 't1', type: 'availability', integration: 'zigbee2mqtt', to: 'offline', for_s: 60 });
    gone.give({ kind: 'integration', integration: 'zigbee2mqtt', to: 'online' });
    gone.at(1).give({ kind: 'integration', integration: 'zigbee2mqtt', to: 'offline' }).at(30);
    gone.give({ kind: 'integration', integration: 'hue', to: 'online' }).at(200);
    expect(gone.fired).toEqual([61]);
  });
});
