import { expect, test } from 'vitest';
import type { LanView } from '#lan/lan-view.ts';
import { createLanWatch } from '#lan/lan-watch.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

function viewOf(...names: string[]): LanView {
  return {
    addresses: [],
    interfaces: names.map((name) => ({ name, isLan: true, why: 'a physical network interface', onLink: [] })),
    isLanLiteral: () => false,
    isLanMachine: () => false,
    isOwnAddress: () => false,
    deviceSubnets: () => [],
    placeOf: () => 'stranger',
  };
}

test('N1: an interface is logged when it comes, changes or goes, and not each time it is seen', () => {
  const { log, lines } = createRecordingLog();
  let view = viewOf('lo', 'eth0');
  const watch = createLanWatch(() => view, log);
  watch.refresh();
  expect(lines).toEqual(['<6>eth0 is of the LAN: a physical network interface']);
  view = viewOf('lo', 'wlan0');
  expect(watch.refresh()).toBe(view);
  watch.refresh();
  expect(lines.slice(1)).toEqual(['<6>wlan0 is of the LAN: a physical network interface', '<6>eth0 is gone']);
});

test('N3: if the kernel cannot be asked, the last view stays, and that is logged once', () => {
  const { log, lines } = createRecordingLog();
  const view = viewOf('eth0');
  let isBlind = false;
  const watch = createLanWatch(() => {
    if (isBlind) throw new Error('EMFILE: too many open files');
    return view;
  }, log);
  isBlind = true;
  expect(watch.refresh()).toBe(view);
  watch.refresh();
  expect(watch.view()).toBe(view);
  expect(lines.filter((line) => line.includes('EMFILE'))).toHaveLength(1);
  isBlind = false;
  watch.refresh();
  isBlind = true;
  watch.refresh();
  expect(lines.filter((line) => line.includes('EMFILE'))).toHaveLength(2);
});
