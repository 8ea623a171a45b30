// Measures the device list: the cost of a change, of the bytes after it, and of one GET against raw node:http.
// Run: npx esbuild test/bench/device-list.ts --bundle --platform=node --format=esm --outfile=var/bench.mjs && node var/bench.mjs
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, get } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deviceJson } from '#http/device-json.ts';
import { deviceRoutes } from '#http/routes/device.ts';
import { createHttpServer } from '#http/server.ts';
import { createLog } from '#base/log.ts';
import { createTestApp } from '#test/support/http-app.ts';
import { openTestHome } from '#test/support/http-home.ts';

const ROUNDS = 5;
const REQUESTS = 4_000;
const namesOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `Lamp ${index}`);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

function timeOf(run: () => void): number {
  const samples: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    const startMs = performance.now();
    run();
    samples.push(performance.now() - startMs);
  }
  return median(samples);
}

async function measureRebuild(count: number): Promise<void> {
  const home = await openTestHome(namesOf(count));
  const reports = home.registry.reportsOf('zigbee2mqtt');
  home.list.allBytes();
  let value = 0;
  const change = (): void => reports.reportValues('0x7', new Map([['brightness', (value += 1) % 100]]));
  const changeMs = timeOf(change);
  const rebuildMs = timeOf(() => {
    change();
    home.list.allBytes();
  });
  const json = home.registry.devices().map((device) => deviceJson(device, home.rooms.findRoom));
  const stringifyMs = timeOf(() => void JSON.stringify(json));
  const wholeMs = timeOf(
    () => void Buffer.from(JSON.stringify(home.registry.devices().map((one) => deviceJson(one, home.rooms.findRoom)))),
  );
  const ms = (number: number): string => `${number.toFixed(4)} ms`;
  console.log(
    `${count} devices, ${home.list.allBytes().length} bytes: change ${ms(changeMs)}, change and rebuild ${ms(rebuildMs)}, ` +
      `stringify of ready objects ${ms(stringifyMs)} (ratio ${(rebuildMs / stringifyMs).toFixed(2)}), ` +
      `objects, stringify and bytes ${ms(wholeMs)} (ratio ${(rebuildMs / wholeMs).toFixed(2)})`,
  );
}

async function serverOf(kind: string, count: number): Promise<Server> {
  const home = await openTestHome(namesOf(count));
  if (kind === 'raw') {
    const bytes = home.list.allBytes();
    return createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
      response.end(bytes);
    });
  }
  const routes = deviceRoutes({
    ...home,
    findRoom: home.rooms.findRoom,
    eventCursor: home.events.cursor,
    removeDevice: async () => undefined,
  });
  const log = createLog({ level: 'error', write: () => undefined, journal: true, wallMs: () => 0 });
  return createHttpServer(createTestApp(routes, { routes }).app, log);
}

async function serve(kind: string, count: number): Promise<void> {
  const server = await serverOf(kind, count);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send?.((server.address() as AddressInfo).port);
  process.on('message', () => process.send?.(process.cpuUsage()));
}

async function fetchOnce(port: number, agent: Agent): Promise<void> {
  const request = get({
    port,
    host: '127.0.0.1',
    path: '/api/v1/device',
    agent,
    headers: { Authorization: 'Bearer owner' },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
}

/** CPU microseconds of the server's process for one request. */
async function measureRequests(kind: string, count: number): Promise<number> {
  const child = fork(process.argv[1] ?? '', ['serve', kind, String(count)]);
  const [port] = (await once(child, 'message')) as [number];
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const run = async (requests: number): Promise<void> => {
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let index = 0; index < requests / 4; index += 1) await fetchOnce(port, agent);
      }),
    );
  };
  const cpu = async (): Promise<number> => {
    child.send('cpu');
    const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
    return usage.user + usage.system;
  };
  await run(1_000);
  const before = await cpu();
  await run(REQUESTS);
  const used = (await cpu()) - before;
  agent.destroy();
  child.kill();
  return used / REQUESTS;
}

if (process.argv[2] === 'serve') {
  await serve(process.argv[3] ?? '', Number(process.argv[4]));
} else {
  for (const count of [10, 100, 1_000, 5_000]) await measureRebuild(count);
  for (const count of [10, 100]) {
    const found: Record<string, number[]> = { raw: [], hub: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['raw', 'hub']) found[kind]?.push(await measureRequests(kind, count));
    }
    const [raw, hub] = [median(found['raw'] ?? []), median(found['hub'] ?? [])];
    console.log(
      `${count} devices: CPU per GET /api/v1/device ${hub.toFixed(1)} µs, raw node:http ${raw.toFixed(1)} µs, ratio ${(hub / raw).toFixed(2)}`,
    );
  }
}
