import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellFromValue, csvLine, valueFromCell } from '#core/past/archive/csv-text.ts';
import { seriesOf } from '#core/past/history/recorder.ts';
import type { Sample } from '#core/past/history/sample.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { ago, openHistoryApp } from './history-app.ts';

const TEMPERATURE = '/api/v1/device/a/feature/temperature/history';
const CLOSED = 'from=2026-11-22T00:00:00Z&to=2026-11-22T09:30:00Z';

describe('the history as CSV', () => {
  test('has a header and a line for each sample', async () => {
    const { getText } = await openHistoryApp();
    const { bytes, headers } = await getText(`${TEMPERATURE}?format=csv`);
    expect(bytes.toString()).toBe(
      'series,at,value\r\na/temperature,2026-11-22T07:00:00.000Z,20\r\na/temperature,2026-11-22T09:00:00.000Z,22\r\n',
    );
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="history.csv"');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('has the columns of its buckets, and nothing where nothing is known', async () => {
    const { getText } = await openHistoryApp();
    const { bytes } = await getText(`${TEMPERATURE}?from=-165m&to=-75m&resolution=1h&times=ms&format=csv`);
    const at = (text: string): number => Date.parse(`2026-11-22T${text}:00Z`);
    expect(bytes.toString()).toBe(
      `series,at,min,mean,max,last,known_s\r\na/temperature,${at('07:15')},20,20,20,20,2700\r\na/temperature,${at('08:15')},,,,,0\r\n`,
    );
  });

  test('gives means the digits of the sensor', async () => {
    const { getText } = await openHistoryApp([
      { atMs: ago(3), value: 20.1 },
      { atMs: ago(2.9), value: 20.4 },
      { atMs: ago(2.63), value: 21 },
    ]);
    const asked = `${TEMPERATURE}?from=-180m&to=-120m&resolution=1d`;
    const means = (await getText(`${asked}&format=csv`)).bytes
      .toString()
      .split('\r\n')
      .slice(1)
      .flatMap((line) => line.split(',')[3] || []);
    expect(means.length).toBeGreaterThan(0);
    expect(means.filter((mean) => !/^2[01](\.\d)?$/.test(mean))).toEqual([]);
    const json = JSON.parse((await getText(asked)).bytes.toString()) as { series: { rows: (number | null)[][] }[] };
    expect(json.series[0]?.rows.map((row) => String(row[2])).join(' ')).toMatch(/\.\d{2}/);
  });

  test('has the columns of all kinds where several are asked for', async () => {
    const { getText } = await openHistoryApp([{ atMs: ago(3), value: 20 }]);
    const { bytes } = await getText('/api/v1/history?series=a/temperature,a/on&from=-60m&resolution=1d&format=csv');
    expect(bytes.toString().split('\r\n')).toEqual([
      'series,at,min,mean,max,last,known_s,seconds,changes',
      'a/temperature,2026-11-21T18:15:00.000Z,20,20,20,20,3600,,',
      'a/on,2026-11-21T18:15:00.000Z,,,,,,"{""20"":3600}",0',
      '',
    ]);
  });

  test('lets no text of a device become a formula or another line', async () => {
    const { getText } = await openHistoryApp([
      { atMs: ago(3), value: '=HYPERLINK("http://x")' },
      { atMs: ago(2), value: 'a,b\r\n"c"' },
      { atMs: ago(1), value: '12' },
    ]);
    const { bytes } = await getText('/api/v1/device/a/feature/button/history?format=csv');
    expect(bytes.toString()).toBe(
      [
        'series,at,value',
        `a/button,2026-11-22T07:00:00.000Z,"'=HYPERLINK(""http://x"")"`,
        'a/button,2026-11-22T08:00:00.000Z,"a,b\r\n""c"""',
        "a/button,2026-11-22T09:00:00.000Z,'12",
        '',
      ].join('\r\n'),
    );
  });

  test('each value reads back from its cell', () => {
    const value = fc.oneof(
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^['=+\-@\t\r0-9.e]{0,4}$/),
    );
    fc.assert(
      fc.property(value, (given) => {
        const cell = cellFromValue(given);
        expect(valueFromCell(cell)).toBe(Object.is(given, -0) ? 0 : given);
        expect(typeof given === 'string' && /^[=+\-@\t\r]/.test(cell)).toBe(false);
        expect(csvLine([cell]).endsWith('\r\n')).toBe(true);
      }),
      searchOf(2_000),
    );
  });
});

describe('the history as lines of JSON', () => {
  test('has an object for each row', async () => {
    const { getText } = await openHistoryApp();
    const { bytes, headers } = await getText(`${TEMPERATURE}?format=ndjson`);
    expect(bytes.toString()).toBe(
      '{"series":"a/temperature","at":"2026-11-22T07:00:00.000Z","value":20}\n{"series":"a/temperature","at":"2026-11-22T09:00:00.000Z","value":22}\n',
    );
    expect(headers.get('content-type')).toBe('application/x-ndjson');
  });
});

const many = Array.from({ length: 50_003 }, (_, index): Sample => ({ atMs: ago(20) + index * 300, value: index }));

/** 50,003 samples in one slice. */
const long = () => {
  const values = many.map(({ value }) => value as number);
  return {
    ...createHistory([]),
    readSlice: async ({ fromMs }: { fromMs: number }) => {
      const from = many.findIndex(({ atMs }) => atMs >= fromMs);
      const timesMs = Float64Array.from(many.slice(from), ({ atMs }) => atMs);
      return { timesMs, values: values.slice(from), gaps: new Map(), next: null };
    },
  };
};

describe('every form', () => {
  test.each(['json', 'csv', 'ndjson'])('%s: the link leads on until every sample was read once', async (format) => {
    const { getText } = await openHistoryApp([], long());
    const values: unknown[] = [];
    let path: string | undefined = `/api/v1/history?series=a/temperature&resolution=raw&times=ms&format=${format}`;
    for (; path !== undefined;) {
      const { bytes, headers } = await getText(path);
      expect(Number(headers.get('content-length'))).toBe(bytes.length);
      values.push(...valuesOf(bytes.toString(), format));
      path = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    expect(values).toEqual(many.map(({ value }) => value));
  });

  test.each(['json', 'csv', 'ndjson'])('%s of a closed range is sent once while nothing changes', async (format) => {
    const samples: Sample[] = [{ atMs: ago(3), value: 20 }];
    const { getText } = await openHistoryApp(samples);
    const first = await getText(`${TEMPERATURE}?${CLOSED}&format=${format}`);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    const second = await getText(`${TEMPERATURE}?${CLOSED}&format=${format}`, { 'If-None-Match': etag });
    expect([second.status, second.bytes.length, second.headers.get('etag')]).toEqual([304, 0, etag]);
    samples.push({ atMs: ago(2), value: 21 });
    expect((await getText(`${TEMPERATURE}?${CLOSED}&format=${format}`, { 'If-None-Match': etag })).status).toBe(200);
  });

  test.each(['from=-24h', 'from=2026-11-22T00:00:00Z', 'from=-3h&to=2026-11-22T09:00:00Z', 'to=2026-11-22T10:00:01Z'])(
    'no tag for a range that is not over, or another one each time: %s',
    async (range) => {
      const { getText } = await openHistoryApp();
      const { headers } = await getText(`${TEMPERATURE}?${range}`);
      expect([headers.get('etag'), headers.get('cache-control')]).toEqual([null, 'no-store']);
    },
  );

  test('is compressed for clients that can read it, with a tag of its own', async () => {
    const { getText } = await openHistoryApp([], long());
    const path = `${TEMPERATURE}?from=2026-11-21T00:00:00Z&to=2026-11-22T09:30:00Z&format=csv&resolution=raw`;
    const plain = await getText(path);
    const packed = await getText(path, { 'Accept-Encoding': 'gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(packed.headers.get('vary')).toBe('Origin, Accept-Encoding');
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'));
  });

  test('of a series of a device is found by its id', async () => {
    const { getText, device } = await openHistoryApp();
    const { bytes } = await getText(`/api/v1/history?series=${seriesOf(device, 'temperature')}&format=csv`);
    expect(bytes.toString()).toContain('a/temperature,');
  });
});

function valuesOf(text: string, format: string): unknown[] {
  if (format === 'json') {
    const { series } = JSON.parse(text) as { series: { rows: unknown[][] }[] };
    return series.flatMap(({ rows }) => rows.map(([, value]) => value));
  }
  if (format === 'ndjson') {
    const lines = text.trimEnd().split('\n');
    return lines.map((line) => (JSON.parse(line) as { value: unknown }).value);
  }
  const [, ...lines] = text.trimEnd().split('\r\n');
  return lines.map((line) => Number(line.split(',')[2]));
}
