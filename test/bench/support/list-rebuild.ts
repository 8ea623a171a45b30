import { deviceJson } from '#http/device/json.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { median } from '#test/support/median.ts';

/** Prints what the bytes of the list cost after one change, beside JSON.stringify of ready objects. */
for (const devices of [100, 1_000]) {
  const home = await openTestHome(Array.from({ length: devices }, (_, index) => `Lamp ${index}`));
  const reports = home.registry.reportsOf('zigbee2mqtt');
  home.list.allBytes();
  let value = 0;
  const rebuildMs = timeOf(() => {
    reports.reportValues('0x7', new Map([['brightness', (value += 1) % 100]]));
    home.list.allBytes();
  });
  const json = home.registry.devices().map((device) => deviceJson(device, home.rooms.findRoom));
  const stringifyMs = timeOf(() => void JSON.stringify(json));
  process.stdout.write(`${JSON.stringify({ devices, rebuildMs, stringifyMs })}\n`);
}

function timeOf(run: () => void): number {
  const samples = Array.from({ length: 200 }, () => {
    const startMs = performance.now();
    run();
    return performance.now() - startMs;
  });
  return median(samples);
}
