import {
  type ContractTime,
  describeIntegrationContract,
  type IntegrationUnderTest,
} from '#test/integrations/contract.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { endingsOf, type Told } from '#test/integrations/contract-values.ts';
import { hostilePayloads } from '#test/support/attack/hostile-payloads.ts';
import { startWledLight, WLED_MAC } from '#test/support/wled/wled-light.ts';
import { createWledWorld } from '#test/support/wled/wled-world.ts';

/** What the light says; all that is named as `unknown` is null. */
type Said = { readonly state?: JsonObject; readonly info?: JsonObject; readonly unknown?: string };
const segment = (members: JsonObject): Said => ({ state: { seg: [{ id: 0, ...members }] } });
const LIT = [0, 0, 0, 255];
const COLORED = [255, 0, 0, 0];

/** The word for "I do not know" of a member in JSON. */
const NULLED: readonly (readonly [key: string, known: JsonValue, tell: Said, member: string])[] = [
  ['brightness', 100, { state: { bri: 255 } }, 'bri'],
  ['color_temperature', 5_964, segment({ cct: 127, col: [LIT] }), 'cct'],
  ['x.white', 100, segment({ col: [LIT] }), 'col'],
  ['color', { hue: 0, saturation: 100 }, segment({ col: [COLORED] }), 'col'],
  ['x.color_2', [0, 0, 255, 0], segment({ col: [COLORED, [0, 0, 255, 0]] }), 'col'],
  ['effect', 'Blink', segment({ fx: 1 }), 'fx'],
  ['x.palette', 'Party', segment({ pal: 2 }), 'pal'],
  ['x.effect_speed', 7, segment({ sx: 7 }), 'sx'],
  ['x.freeze', true, segment({ frz: true }), 'frz'],
  ['x.preset', 'Warm', { state: { ps: 3, pl: -1 } }, 'ps'],
  ['x.transition', 0.7, { state: { transition: 7 } }, 'transition'],
  ['x.live_override', 1, { state: { lor: 1 } }, 'lor'],
  ['x.nightlight_minutes', 30, { state: { nl: { dur: 30 } } }, 'dur'],
  ['x.sync_send', true, { state: { udpn: { send: true } } }, 'send'],
  ['x.live', true, { info: { live: true } }, 'live'],
  ['signal_strength', -50, { info: { wifi: { rssi: -50 } } }, 'rssi'],
];
const TOLD: readonly Told<Said>[] = [
  ...NULLED.map(([key, known, tell, unknown]): Told<Said> => [key, known, tell, { null: { unknown } }]),
  // The white of a lamp is none while it shows a color alone.
  ['color_temperature', 5_964, segment({ cct: 127, col: [LIT] }), { 'a color alone': segment({ col: [COLORED] }) }],
];

async function openWorld(time: ContractTime): Promise<IntegrationUnderTest> {
  const light = await startWledLight('cct');
  const world = createWledWorld(light.host, time);
  return {
    integration: world.create(),
    reopen: world.create,
    logLines: world.lines,
    breakLink: light.unplug,
    healLink: light.plug,
    sendGarbage: async () => {
      for (const payload of hostilePayloads()) {
        light.says(payload);
        light.says(`{"state":${payload.toString()},"info":${payload.toString()}}`);
      }
      light.says('{"state":{"on":"yes","bri":1e999,"seg":[{"id":-1},{"id":"0"},null]},"info":{"mac":7}}');
    },
    wire: () => light.wire,
    command: { externalId: WLED_MAC, key: 'on', value: true },
    endings: endingsOf(WLED_MAC, TOLD, light.say),
    numbers: { externalId: WLED_MAC, key: 'signal_strength', tell: (form) => light.setForm('rssi', form) },
    openEnds: world.open,
    close: async () => {
      world.close();
      await light.close();
    },
  };
}

describeIntegrationContract('wled', openWorld);
