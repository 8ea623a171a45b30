import { describe, expect, test } from 'vitest';
import type { Feature } from '#core/feature/feature.ts';
import { createAnnouncedDevices } from '#integrations/home-assistant-discovery/announced-devices.ts';
import { liveDeviceFrom, rememberedWith } from '#integrations/home-assistant-discovery/live-device.ts';
import { readTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { inlineDeps } from '#test/support/discovery/inline-templates.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

type Message = readonly [component: string, id: string, more?: object];

/** The features of a device after these messages, described after each of them or once at the end. */
function featuresAfter(messages: readonly Message[], known: readonly Feature[], isOneByOne: boolean) {
  const announced = createAnnouncedDevices({ log: createRecordingLog().log, isLeftOut: () => false });
  let features = known;
  let remembered = known;
  messages.forEach(([component, id, more = {}], at) => {
    const topic = `homeassistant/${component}/${id}/config`;
    const place = readTopic(topic, 'homeassistant');
    const config = { uniq_id: id, name: null, stat_t: id, cmd_t: `${id}/set`, dev: { ids: 'd' }, ...more };
    const payload = Buffer.from(JSON.stringify(config));
    if (place !== undefined) announced.take(place, { topic, payload, retained: true });
    const parts = announced.find('d');
    if (parts === undefined || (!isOneByOne && at < messages.length - 1)) return;
    const surroundings = { ...inlineDeps(), delay: () => undefined };
    const device = liveDeviceFrom(parts, surroundings, remembered);
    features = device.description.features;
    remembered = rememberedWith(remembered, features);
  });
  return features;
}

const keysBySource = (features: readonly Feature[]): readonly string[] =>
  features.map(({ source, key }) => `${source ?? ''}: ${key}`).toSorted();

const ALL: readonly Message[] = [
  ['switch', 'm'],
  ['switch', 'z'],
  ['light', 'k'],
  ['climate', 'c', { curr_temp_t: 't', mode_cmd_t: 'm', temp_cmd_t: 't/set' }],
  ['sensor', 's', { dev_cla: 'temperature', unit_of_meas: '°C' }],
  ['vacuum', 'v', { sup_feat: ['start', 'locate'] }],
];

describe('the keys of features', () => {
  test.each(Array.from({ length: ALL.length }, (_, at) => at))(
    'stay what they are when messages come in another order after a restart (%d)',
    (turn) => {
      const before = featuresAfter(ALL, [], true);
      const turned = [...ALL.slice(turn), ...ALL.slice(0, turn)].toReversed();
      for (const isOneByOne of [true, false])
        expect(keysBySource(featuresAfter(turned, before, isOneByOne))).toEqual(keysBySource(before));
    },
  );

  test('stay what they are when a newcomer would come before them', () => {
    const before = featuresAfter([['switch', 'm']], [], true);
    expect(keysBySource(before)).toEqual(['m: on']);
    const after = featuresAfter(
      [
        ['switch', 'm'],
        ['switch', 'a'],
      ],
      before,
      true,
    );
    expect(keysBySource(after)).toEqual(['a: a.on', 'm: on']);
  });

  test('are free again when the one that had them is gone', () => {
    const before = featuresAfter(
      [
        ['switch', 'm'],
        ['switch', 'z'],
      ],
      [],
      true,
    );
    expect(keysBySource(before)).toEqual(['m: on', 'z: z.on']);
    expect(keysBySource(featuresAfter([['switch', 'a']], before, true))).toEqual(['a: on']);
    // Who had a suffix keeps it, so that what names it still means it.
    expect(keysBySource(featuresAfter([['switch', 'z']], before, true))).toEqual(['z: z.on']);
  });
});
