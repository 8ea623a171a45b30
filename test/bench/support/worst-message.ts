import { readFileSync } from 'node:fs';
import type { JsonValue } from '#base/json.ts';
import { decodeJson } from '#http/routing/json-body.ts';
import {
  readBridgeEvent,
  readDeviceEntry,
  readPermitJoin,
  readSetFailure,
} from '#integrations/zigbee2mqtt/bridge-message.ts';
import { EVENT_LIMITS, INFO_LIMITS, readJson, readState } from '#integrations/zigbee2mqtt/device-message.ts';
import { createInventory } from '#integrations/zigbee2mqtt/inventory/inventory.ts';
import { knownDeviceFromEntry, type KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import { reportFromState } from '#integrations/zigbee2mqtt/payload.ts';
import { openHeardClaim } from '#test/support/daemon/heard-claim.ts';
import { hostilePacket } from '#test/support/attack/hostile-mdns.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';

/** Prints how much processor time the largest allowed message of one kind (the argument) takes, the first and the later ones. */

const KIB = 1024;
const fill = (bytes: number, item: (index: number) => string): string => {
  const items: string[] = [];
  for (let size = 0; size < bytes - 200; size += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length));
  return items.join(',');
};
const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => item(index));
const entryOf = (exposes: readonly unknown[]): string =>
  JSON.stringify({
    ieee_address: '0x0000000000000001',
    friendly_name: 'a',
    supported: true,
    definition: { vendor: 'V', model: 'M', description: '', exposes },
  });
const contact = (index: number): object => ({
  type: 'binary',
  name: 'contact',
  property: `p${index}`,
  endpoint: `e${index % 7}`,
  access: 7,
  value_on: 'ON',
  value_off: 'OFF',
});
const enumOf = (options: number, name: string): object => ({
  type: 'enum',
  name,
  property: name,
  access: 7,
  values: list(options, (index) => `aB ${index} cD`),
});
const knownOf = (exposes: readonly unknown[]): KnownDevice => {
  const entry = readDeviceEntry(JSON.parse(entryOf(exposes)) as JsonValue);
  if (entry === null || entry === undefined) throw new Error('no entry');
  return knownDeviceFromEntry(entry);
};

const describe = async (exposes: readonly unknown[], padding = 0): Promise<void> => {
  const text = entryOf(exposes).replace('{', `{"endpoints":[${fill(padding, () => '{}')}],`);
  await createInventory(() => undefined).update(Buffer.from(`[${text}]`), () => true);
};

/** A device with this description reports this, which makes so many events. */
async function sayer(exposes: readonly unknown[], state: string, events: number): Promise<() => void> {
  const home = await openTestHome([], { capacity: 16_384 });
  const known = knownOf(exposes);
  const reports = home.registry.reportsOf('zigbee2mqtt');
  await reports.syncDevices([known.description]);
  let turn = 0;
  return () => {
    turn += 1;
    const read = readState(Buffer.from(state.replaceAll('$', String(turn % 10))));
    if ('refusal' in read) throw new Error(read.refusal);
    const { values } = reportFromState(read.state, known.byProperty, { sent: new Map() });
    const before = home.events.lastSequence();
    reports.reportValues(known.description.externalId, values);
    if (home.events.lastSequence() !== before + events) throw new Error('there are more or fewer events than expected');
  };
}

const read = (payload: string, take: (json: JsonValue) => unknown, limits = {}): (() => void) => {
  const bytes = Buffer.from(payload);
  return () => {
    const json = readJson(bytes, limits);
    if ('refusal' in json) throw new Error(json.refusal);
    take(json.json);
  };
};
/** A hub that has claimed its name receives this. */
async function hearer(packet: string): Promise<() => void> {
  const { hear } = await openHeardClaim();
  const bytes = hostilePacket(packet);
  return () => hear(bytes);
}

const jsonReader = (body: string): (() => unknown) => {
  const bytes = Buffer.from(body);
  return () => decodeJson(bytes);
};
const numerics = list(500, (index) => ({ type: 'numeric', name: `n${index}`, property: `n${index}`, access: 1 }));

const COMPOSITE = [{ type: 'composite', name: 'c', property: 'c', access: 1, features: [] }];

const KINDS: Readonly<Record<string, () => Promise<() => unknown>>> = {
  'a description of 500 features': async () => () => describe(list(500, contact)),
  'a description of 3,000 options': async () => () => describe([enumOf(3_000, 'action')]),
  'a description of 80 KiB': async () => () => describe([...list(400, contact), enumOf(1_500, 'action')], 10 * KIB),
  'one of 192 KiB, of which nothing is taken': async () => () => describe(list(500, contact), 120 * KIB),
  'a report of 500 new values': () =>
    sayer(numerics, `{${list(500, (index) => `"n${index}":${index}.$`).join(',')}}`, 500),
  'a report of 64 KiB in one value': () =>
    sayer(COMPOSITE, `{"c":{"a$":[${fill(63 * KIB, () => `"${'a'.repeat(100)}"`)}]}}`, 1),
  'a report of 64 KiB that is refused': () => sayer(COMPOSITE, `{"c":{"a$":[${fill(63 * KIB, () => '{}')}]}}`, 0),
  'an event of 64 KiB': async () =>
    read(`{"type":"device_joined","data":{},"a":[${fill(63 * KIB, () => '{}')}]}`, readBridgeEvent, EVENT_LIMITS),
  'what the bridge says of itself, 192 KiB': async () =>
    read(`{"permit_join":true,"config":[${fill(191 * KIB, () => '{}')}]}`, readPermitJoin, INFO_LIMITS),
  'a packet of multicast DNS with the longest names': () => hearer('labels'),
  'a packet of multicast DNS of 200 questions': () => hearer('questions'),
  'a body of 64 KiB and 1,000 members': async () =>
    jsonReader(`{${list(1_000, (index) => `"${'k'.repeat(58)}${index}":1`).join(',')}}`),
  'a body of 64 KiB in lists': async () => jsonReader(`[${'[1],'.repeat(16_000)}0]`),
  'a line of the log of 64 KiB': async () =>
    read(JSON.stringify({ level: 'error', message: ": Publish 'set' '".repeat(3_600) }), readSetFailure),
};

const asleep = new Int32Array(new SharedArrayBuffer(4));
/** Of this thread alone. Linux counts it up when the thread leaves the processor, as it does here. */
const cpuMs = (): number => {
  Atomics.wait(asleep, 0, 0, 1);
  return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
};
const [kind = ''] = process.argv.slice(2);
if (kind === '') process.stdout.write(JSON.stringify(Object.keys(KINDS)));
else {
  const run = await KINDS[kind]?.();
  const samples: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const before = cpuMs();
    await run?.();
    samples.push(cpuMs() - before);
  }
  process.stdout.write(JSON.stringify(samples));
}
