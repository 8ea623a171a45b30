import { expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { lightFromStatus } from '#integrations/wled/light.ts';
import { NO_LISTS, ownPalettes, readStatus } from '#integrations/wled/wled-message.ts';
import { numbersIn, readPeerLists, wordsIn, wrongMeanings } from '#test/support/kinds/peer-list.ts';
import { WLED_MAC } from '#test/support/wled/wled-light.ts';

const PEER = readPeerLists('wled');

function lightOf(info: JsonObject, state: JsonObject = {}) {
  const segment = { id: 0, start: 0, stop: 30, on: true, bri: 255, cct: 127, col: [[255, 0, 0, 0]] };
  const status = readStatus(
    JSON.stringify({
      info: { mac: WLED_MAC, name: 'Shelf', leds: { lc: 1 }, ...info },
      state: { on: true, bri: 255, seg: [segment], ...state },
    }),
  );
  if (status === undefined) throw new Error('it is no status');
  return { status, light: lightFromStatus(status, NO_LISTS) };
}

test('each capability of a segment is its feature, and those that are reserved none', () => {
  const capabilities = numbersIn(PEER, 'lightCapabilities');
  const keysOf = (lc: number): readonly string[] =>
    lightOf({ leds: { lc } })
      .light.sources.map(({ feature }) => feature.key)
      .filter((key) => ['color', 'x.white', 'color_temperature', 'brightness'].includes(key));
  const known = {
    RGB_COLOR: ['brightness', 'color'],
    WHITE_CHANNEL: ['brightness', 'x.white'],
    COLOR_TEMPERATURE: ['brightness', 'color_temperature'],
  };
  const leftOut = [
    { of: ['MANUAL_WHITE'], why: 'how the white is set; that there is one says its own capability' },
    { of: ['RESERVED_2', 'RESERVED_3', 'RESERVED_4', 'RESERVED_5'], why: 'they mean nothing yet' },
  ];
  const wrong = wrongMeanings<readonly string[]>(Object.keys(capabilities), { known, leftOut }, (name) => {
    const keys = keysOf(capabilities[name] ?? 0);
    return keys.length === 0 ? undefined : keys;
  });
  expect(wrong).toEqual([]);
});

test('the override of live data has the numbers of the peer, and none of the future', () => {
  const numbers = numbersIn(PEER, 'liveOverride');
  const shown = (lor: JsonValue): JsonValue | undefined => {
    const { status, light } = lightOf({}, { lor });
    return light.sources.find(({ feature }) => feature.key === 'x.live_override')?.read?.(status);
  };
  const known = { OFF: 0, ON: 1, OFF_UNTIL_REBOOT: 2 };
  const wrong = wrongMeanings<JsonValue>(Object.keys(numbers), { known, leftOut: [] }, (name) =>
    shown(numbers[name] ?? 9),
  );
  expect(wrong).toEqual([]);
  expect(shown(3)).toBeUndefined();
});

test('palettes have other numbers from the version on that the peer names', () => {
  const [change = ''] = wordsIn(PEER, 'customPaletteIdChange');
  const first = (ver: string): number | undefined => {
    const [palette] = ownPalettes(lightOf({ ver, cpalcount: 1 }).status.info);
    return palette?.[0];
  };
  expect([first('15.9.9'), first(change), first('17.0.0')]).toEqual([255, 200, 200]);
});
