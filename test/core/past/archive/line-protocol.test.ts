import { expect, test } from 'vitest';
import type { GapMark, SampleValue } from '#core/past/history/sample.ts';
import type { SeriesLabels } from '#core/past/archive/series-labels.ts';
import type { ExportSample } from '#exporters/export-sample.ts';
import { lineOf } from '#core/past/archive/line-protocol.ts';

const LABELS = { device: 'sensor', key: 'temperature', room: 'kitchen', unit: 'celsius', deviceId: null, roomId: null };

function sampleOf(value: SampleValue | GapMark, labels: Partial<SeriesLabels> = {}): ExportSample {
  const atMs = 1_795_234_000_100;
  return { number: 1, series: 's', atMs, tenthMs: atMs, value, labels: { ...LABELS, ...labels } };
}

test('a sample is a line with the labels of the metrics and its time in milliseconds', () => {
  expect(lineOf(sampleOf(21.4))).toBe(
    'hearthd_feature,device=sensor,key=temperature,room=kitchen,unit=celsius value=21.4 1795234000100',
  );
  expect(lineOf(sampleOf(true, { room: null, unit: null }))).toBe(
    'hearthd_feature,device=sensor,key=temperature state=true 1795234000100',
  );
});

test.each<[SampleValue | GapMark, string]>([
  [21, 'value=21'],
  [-0, 'value=0'],
  [1e300, 'value=1e+300'],
  [5e-324, 'value=5e-324'],
  [0.1 + 0.2, 'value=0.30000000000000004'],
  [2 ** 53, 'value=9007199254740992'],
  [false, 'state=false'],
  ['open', 'text="open"'],
  ['', 'text=""'],
  ['say "hi"', String.raw`text="say \"hi\""`],
  ['a\\', String.raw`text="a\\"`],
  ['a\\"', String.raw`text="a\\\""`],
  ['a=b,c d', 'text="a=b,c d"'],
  ['one\ntwo', String.raw`text="one\\ntwo"`],
  ['x\r\u0000\u0085y', 'text="x   y"'],
  ['half \ud83d', 'text="half \ufffd"'],
  [{ gap: 'offline' }, 'gap="offline"'],
  [{ gap: 'hub_off', isUncertain: true }, 'gap="hub_off"'],
])('the value %j is the field %s', (value, field) => {
  expect(lineOf(sampleOf(value)).split(' ').slice(1, -1).join(' ')).toBe(field);
});

test.each([
  ['a b', String.raw`a\ b`],
  ['a,b=c', String.raw`a\,b\=c`],
  ['ends with \\', String.raw`ends\ with\ /`],
  ['two\nlines', String.raw`two\ lines`],
  ['"quoted"', '"quoted"'],
  ['µg/m³', 'µg/m³'],
])('the label %j is the tag %s', (text, tag) => {
  expect(lineOf(sampleOf(1, { device: text, key: 'k', room: null, unit: null }))).toBe(
    `hearthd_feature,device=${tag},key=k value=1 1795234000100`,
  );
});

test('an empty label is no tag', () => {
  expect(lineOf(sampleOf(1, { room: '', unit: '' }))).toContain(',key=temperature value=1 ');
});

test('nothing that a device says makes a second line', () => {
  const evil = 'x"\nhearthd_feature,device=lock state=true 1\n\\';
  const line = lineOf(sampleOf(evil, { device: evil, key: evil, room: evil, unit: evil }));
  expect(line).not.toMatch(/[\n\r]/);
});
