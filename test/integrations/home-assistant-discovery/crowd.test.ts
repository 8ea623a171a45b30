import { describe, expect, test } from 'vitest';
import { createDeviceCrowd } from '#test/support/discovery/device-crowd.ts';

const configOf = (at: number, more: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({
      uniq_id: `u${at}`,
      stat_t: `s/${at}`,
      val_tpl: '{{ value_json.v }}',
      unit_of_meas: 'W',
      dev: { ids: `d${at}` },
      ...more,
    }),
  );

describe('I1: a crowd', () => {
  test('of 100,000 announced entities 10,000 are taken, and the rest is logged once', () => {
    const { announce, lines } = createDeviceCrowd();
    let taken = 0;
    for (let at = 0; at < 100_000; at += 1) taken += announce(`s${at}`, configOf(at)).size;
    expect(taken).toBe(10_000);
    expect(lines).toHaveLength(1);
  });

  test('of 3,000 entities of one device 1,000 are taken until others go, and the rest is logged once', () => {
    const { announce, announced, lines } = createDeviceCrowd();
    const one = { dev: { ids: 'one' } };
    for (let at = 0; at < 3_000; at += 1) announce(`s${at}`, configOf(at, one));
    expect(announced.find('one')?.entities).toHaveLength(1_000);
    expect(lines).toHaveLength(1);
    for (let at = 0; at < 10; at += 1) announce(`s${at}`, Buffer.alloc(0));
    expect(announced.find('one')?.entities).toHaveLength(990);
    announce('s2999', configOf(2_999, one));
    expect(announced.find('one')?.entities).toHaveLength(991);
  });

  test('of costly templates at one topic takes turns, and holds nobody up', async () => {
    const { announce, book, describe: describeAll, sink } = createDeviceCrowd();
    const costly = '{% for i in range(6000) %}{% set x = i %}{% endfor %}{{ value_json.v }}';
    for (let at = 0; at < 300; at += 1)
      await describeAll(announce(`s${at}`, configOf(at, { stat_t: 'one', val_tpl: costly })));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    book.onState({ topic: 'one', payload: Buffer.from('{"v": 5}'), retained: false });
    while ((sink.calls.get('reportValues') ?? 0) < 300) await new Promise((resolve) => setTimeout(resolve, 5));
    clearInterval(counting);
    book.stop();
    // In one turn nobody else would have had any.
    expect(turns).toBeGreaterThan(20);
    expect(sink.device('d299').values.size).toBe(1);
  });
});
