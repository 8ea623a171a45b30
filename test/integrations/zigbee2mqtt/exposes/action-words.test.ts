import { expect, test } from 'vitest';
import { expectBelow, startProcessorWatch } from '#test/support/machine/bounds.ts';
import { actionFromRaw } from '#integrations/zigbee2mqtt/exposes/action-words.ts';

test.each([
  ['single', 'single', 1],
  ['double', 'double', 2],
  ['triple', 'triple', 3],
  ['many', 'many', undefined],
  ['quadruple_2', 'many', 4],
  ['5_click_l1', 'many', 5],
  ['hold', 'hold', undefined],
  ['1_long', 'hold', undefined],
  ['button_1_hold', 'hold', undefined],
  ['release', 'release', undefined],
  ['left_press_release', 'release', undefined],
  ['hold_release_left', 'release', undefined],
  ['button_2_double_click', 'double', 2],
  ['single_left_right', 'single', 1],
  ['rotate_left', 'rotate_left', undefined],
  ['rotating_right', 'rotate_right', undefined],
  ['brightness_move_up_l2', 'brightness_move_up', undefined],
  ['on_1', 'on', undefined],
  ['input_1_toggle', 'toggle', undefined],
  ['recall_*', 'recall', undefined],
  ['scene_12', 'scene', undefined],
  ['Emergency', 'emergency', undefined],
  ['button_1_left', 'left', undefined],
  ['turn_left_right_b12', 'turn', undefined],
  ['', '', undefined],
  ['!!!', '', undefined],
])('%j is %j', (raw, action, count) => {
  expect(actionFromRaw(raw)).toEqual(count === undefined ? { action } : { action, count });
});

test('I1: an action of the length of a whole message is read at once', () => {
  const tookMs = startProcessorWatch();
  expect(actionFromRaw(`x${'_1'.repeat(32_000)}_x`)).toEqual({ action: expect.stringMatching(/^x(_1)*_x$/) });
  expectBelow('processor time, ms', tookMs(), 300);
});
