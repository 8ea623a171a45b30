import { expect, test } from 'vitest';
import type { Device } from '#core/device/device.ts';
import { lightFrom } from '#integrations/home-assistant-discovery/offering/light.ts';
import { simulatedDevice } from '#test/support/matter/simulated-device.ts';

test('a lamp that came back to its white after it was red is offered as white', () => {
  const lamp = simulatedDevice('living-room-lamp', { color: { x: 0.7, y: 0.3 }, color_temperature: 2703 });
  const found = lightFrom({ device: lamp, features: lamp.features, component: 'main' } as never);
  const shown = (quality: 'confirmed' | 'stale'): unknown => {
    const states = new Map(lamp.states);
    const [white, color] = [states.get('color_temperature'), states.get('color')];
    if (white !== undefined) states.set('color_temperature', { ...white, changedAtMs: 1 });
    if (color !== undefined) states.set('color', { ...color, quality, changedAtMs: 2 });
    const device: Device = { ...lamp, states };
    return found?.component.ownState?.(device);
  };
  expect(shown('stale')).toMatchObject({ color_mode: 'color_temp', color_temp: 2703 });
  expect(shown('confirmed')).toMatchObject({ color_mode: 'xy' });
});
