import { expect, test } from 'vitest';
import { type CauseCaller, DIRECT } from '#core/cause/cause.ts';
import type { DeviceId } from '#core/device/device.ts';
import { automation, createVirtualHome } from '#test/support/automation/virtual-home.ts';

const SCRIPT: CauseCaller = { type: 'api_token', id: 'script' };
const ref = (device: string, key: string) => ({ device: device as DeviceId, key });

/** It turns the door on once the lamp was on for five seconds, or it is bright. */
function openHome() {
  const lampHeld = { feature: { ...ref('lamp', 'on'), is: true, for_s: 5 } };
  const bright = { feature: { ...ref('lux', 'illuminance'), above: 900 } };
  const waits = automation('waits', {
    triggers: [{ id: 'x', type: 'variable', variable: 'x', to: 1 }],
    steps: [
      { id: 'wait', wait_for: { timeout_s: 600, then: 'stop', condition: { or: [lampHeld, bright] } } },
      { id: 'door', command: { targets: { devices: ['door' as DeviceId] }, set: { on: true } } },
    ],
  });
  const home = createVirtualHome({
    devices: { lamp: { values: { on: false } }, lux: { values: { illuminance: 5 } }, door: { values: { on: false } } },
    variables: { x: 0 },
    automations: [waits],
  });
  home.setVariable('x', 1);
  return {
    ...home,
    /** Turned on by the script, or by a hand. */
    turn: (isOn: boolean, by: CauseCaller | null): void => {
      const cause = by && { ...DIRECT, command: 'command', callers: [by] };
      home.reportAs('lamp', 'on', { value: isOn, cause });
    },
    /** Who led to the command; nothing where there was none. */
    led: () => home.commands().map(({ command }) => command.cause.callers ?? []),
  };
}

test('what a sensor says meanwhile does not hide who made the condition of a wait come true in time', () => {
  const home = openHome();
  home.turn(true, SCRIPT);
  home.advance(2_000);
  home.report('lux', 'illuminance', 100);
  home.restart({ isPowerCut: false });
  home.advance(10_000);
  expect(home.led()).toEqual([[SCRIPT]]);
});

test('a hand that does it again takes the place of the script', () => {
  const home = openHome();
  home.turn(true, SCRIPT);
  home.advance(2_000);
  home.turn(false, null);
  home.turn(true, null);
  home.advance(10_000);
  expect(home.led()).toEqual([[]]);
});

test('a change that makes the condition true is the cause alone', () => {
  const home = openHome();
  home.turn(true, SCRIPT);
  home.report('lux', 'illuminance', 1_000);
  home.advance(10_000);
  expect(home.led()).toEqual([[]]);
});
