import {
  AAAARecord,
  Bytes,
  DnsCodec,
  DnsMessageType,
  DnsMessageTypeFlag,
  type DnsRecord,
  DnssdNames,
  Environment,
  Entropy,
  type MdnsSocket,
  Observable,
  PtrRecord,
  Seconds,
  SrvRecord,
  TxtRecord,
} from '@matter/main';
import { expect, onTestFinished, test } from 'vitest';
import { createNameGuard } from '#integrations/matter-program/process/name-guard.ts';

const YEARS = Seconds(0x7fff_ffff);
const HOME = '_matter._tcp.local';
const OPEN = '_matterc._udp.local';
/** What the library keeps at most. */
const MOST = 4_000;

/** The guard before the part of the library that keeps names, with a clock of its own. */
function openWorld() {
  const time = { ms: 0 };
  const guard = createNameGuard(() => time.ms);
  const receipt = new Observable<[message: MdnsSocket.Message]>();
  const nothing = (): void => undefined;
  const socket = {
    receipt,
    registerRelevantNames: nothing,
    unregisterRelevantNames: nothing,
    addRelevantName: nothing,
    removeRelevantName: nothing,
  };
  const names = new DnssdNames({
    socket: socket as unknown as MdnsSocket,
    entropy: Environment.default.get(Entropy),
    filter: ({ name }) => name.endsWith(`.${HOME}`) || name.endsWith(OPEN),
  });
  onTestFinished(() => names.close());
  const pass = (bytes: Bytes): readonly DnsRecord[] => {
    const admitted = guard.admit(Bytes.of(bytes));
    const message = admitted === undefined ? undefined : DnsCodec.decode(admitted);
    if (message === undefined) return [];
    receipt.emit({ ...message, sourceIp: '192.168.1.9', sourceIntf: 'eth0' });
    return [...message.answers, ...message.additionalRecords];
  };
  return {
    time,
    guard,
    names,
    pass,
    say: (...answers: DnsRecord[]) => pass(DnsCodec.encode({ messageType: DnsMessageType.Response, answers })),
    /** Records that the library has now. */
    kept: () => [...names.discoveredNames].reduce((sum, name) => sum + [...name.records].length, 0),
    ask: (name: string) => {
      const query = { name, recordType: 33, recordClass: 1 };
      guard.noteSent(DnsCodec.encode({ messageType: DnsMessageType.Query, queries: [query] }));
    },
  };
}

const at = (host: string): { priority: number; weight: number; port: number; target: string } => {
  return { priority: 0, weight: 0, port: 5540, target: host };
};
const device = (id: string, service = HOME): DnsRecord[] => [
  PtrRecord(service, `${id}.${service}`),
  SrvRecord(`${id}.${service}`, at(`${id}.local`), YEARS),
  TxtRecord(`${id}.${service}`, ['SII=500', 'D=840', 'CM=1'], YEARS),
  AAAARecord(`${id}.local`, 'fd00::7', YEARS),
];

test('a home with two hundred devices, each in three homes, is known whole', () => {
  const { say, names } = openWorld();
  for (let number = 0; number < 600; number += 1) expect(say(...device(`${number}`))).toHaveLength(4);
  expect([...names.discoveredNames].filter(({ qname }) => qname.endsWith(HOME))).toHaveLength(600);
});

test.each([
  ['devices', (number: number) => [SrvRecord(`x${number}.${OPEN}`, at(`h${number}.local`), YEARS)]],
  ['devices of homes', (number: number) => device(`x${number}`)],
  ['texts of one device', (number: number) => [TxtRecord(`x.${OPEN}`, [`${number}`], YEARS)]],
  ['pointers', (number: number) => [PtrRecord(OPEN, `x${number}.${OPEN}`, YEARS)]],
  [
    'addresses of one host',
    (number: number) => [...device('x'), AAAARecord('x.local', `fd00::${number.toString(16)}`, YEARS)],
  ],
  [
    'hosts that come with a device',
    (number: number) => [...device('x'), AAAARecord(`${number}.local`, 'fd00::1', YEARS)],
  ],
])('X: of invented %s the library keeps a fixed number', (_what, records) => {
  const { say, kept } = openWorld();
  const admitted = new Set<string>();
  for (let number = 0; number < 6_000; number += 1) {
    for (const { name, value } of say(...records(number))) admitted.add(`${name} ${JSON.stringify(value)}`);
  }
  expect(admitted.size).toBeGreaterThan(1_000);
  expect(admitted.size).toBeLessThanOrEqual(MOST);
  expect(kept()).toBeLessThanOrEqual(MOST);
});

test('X: in a flood of names a device of this home is still found, and others are within minutes after it', () => {
  const { say, ask, time } = openWorld();
  for (let number = 0; number < 6_000; number += 1) say(...device(`x${number}`));
  expect(say(...device('new', OPEN))).toEqual([]);
  ask(`OWN.${HOME}`);
  // Its pointer is one of the many, and this home does not need it.
  expect(say(...device('own')).map(({ name }) => name)).toEqual([`own.${HOME}`, `own.${HOME}`, 'own.local']);
  for (let number = 0; number < 100; number += 1) say(TxtRecord(`own.${HOME}`, [`${number}`]));
  expect(say(TxtRecord(`own.${HOME}`, ['one more']))).toEqual([]);
  time.ms += 660_000;
  expect(say(...device('new', OPEN))).toHaveLength(4);
});

test('X: an end makes no room, because the library may not heed it', () => {
  const { say, kept } = openWorld();
  for (let number = 0; number < 6_000; number += 1) {
    say(TxtRecord(`x.${OPEN}`, [`${number}`], YEARS), TxtRecord(`x.${OPEN}`, [`${number}`], Seconds(0)));
  }
  expect(kept()).toBeLessThanOrEqual(MOST);
});

test('what holds for years holds for minutes, and a question passes as it is', () => {
  const { say, guard } = openWorld();
  expect(say(...device('x')).map(({ ttl }) => Seconds.of(ttl))).toEqual([120, 600, 600, 600]);
  const question = { name: `_S3._sub.${OPEN}`, recordType: 12, recordClass: 1, uniCastResponse: true };
  const query = { messageType: DnsMessageType.Query, transactionId: 7, queries: [question] };
  const passed = guard.admit(Bytes.of(DnsCodec.encode(query)));
  expect(passed && DnsCodec.decode(passed)).toMatchObject(query);
  // More would follow: the library would gather that without end.
  const truncated = guard.admit(Bytes.of(DnsCodec.encode({ ...query, messageType: DnsMessageTypeFlag.TC as number })));
  expect(truncated && DnsCodec.decode(truncated)).toMatchObject(query);
});

test.each(['x.', '.x', 'a..b', '\uFFFD'.repeat(22)])(
  'X: a label %j, which would be written otherwise, is left out',
  (label) => {
    const { pass } = openWorld();
    const raw = Buffer.from(label.replaceAll('\uFFFD', '!'));
    const labels = [raw, ...OPEN.split('.').map((one) => Buffer.from(one))];
    const owner = Buffer.concat([...labels.flatMap((one) => [Buffer.from([one.length]), one]), Buffer.from([0])]);
    const broken = Buffer.from(owner.map((byte) => (byte === 33 ? 0xff : byte)));
    const rest = Buffer.from([0, 16, 0, 1, 0, 0, 0, 60, 0, 2, 1, 65]);
    expect(pass(Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]), broken, rest]))).toEqual([]);
  },
);

test('X: a name that is longer than a name may be is left out, also as the place of a device', () => {
  const { say } = openWorld();
  const long = (most: number): string => 'x.'.repeat((most - OPEN.length) / 2) + OPEN;
  expect(say(TxtRecord(long(253), ['CM=1']))).toHaveLength(1);
  expect(say(TxtRecord(long(255), ['CM=1']))).toEqual([]);
  expect(say(SrvRecord(`x.${OPEN}`, at(long(8_001)), YEARS), PtrRecord(OPEN, long(8_001), YEARS))).toEqual([]);
});

test('what is of no service of Matter is not seen', () => {
  const { say, pass } = openWorld();
  expect(say(PtrRecord('_ipp._tcp.local', 'printer._ipp._tcp.local'), AAAARecord('printer.local', 'fd00::8'))).toEqual(
    [],
  );
  expect(say(TxtRecord(`x.${OPEN}`, ['a'.repeat(250), ...Array.from({ length: 5 }, () => 'b'.repeat(250))]))).toEqual(
    [],
  );
  expect(pass(new Uint8Array(3))).toEqual([]);
});
