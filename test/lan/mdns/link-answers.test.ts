import { describe, expect, test } from 'vitest';
import { decodeDnsMessage, type DnsMessage, DNS_TYPE, dnsName, type DnsRecord } from '#lan/mdns/dns-message.ts';
import { hubRecords } from '#lan/mdns/hub-records.ts';
import { createLinkAnswers } from '#lan/mdns/link-answers.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { EMPTY, nameOf } from '#test/support/lan/announced.ts';

const CARD = { id: 'id-1', name: 'Home', claimed: true, apiVersion: 'v1', path: '/api', port: 8080 };
const { all, uniqueNames } = hubRecords(CARD, 1, ['192.168.50.1']);
const PHONE = '192.168.50.2';
const TABLET = '192.168.50.3';
const services = [{ name: nameOf('_http._tcp'), type: DNS_TYPE.PTR }];
const pointers = all.filter(({ name }) => name.key === nameOf('_http._tcp').key);

function openLink() {
  const time = createManualTime();
  const sent: { readonly atMs: number; readonly message: DnsMessage }[] = [];
  const answers = createLinkAnswers(
    {
      close: () => undefined,
      send: (bytes) =>
        void sent.push({ atMs: time.clock.monotonicMs(), message: decodeDnsMessage(bytes) ?? { ...EMPTY } }),
    },
    { random: () => 0, startTimer: time.startTimer, clock: time.clock },
  );
  const ask = (query: Partial<DnsMessage>, address = PHONE): void =>
    answers.answer({ ...EMPTY, ...query }, { address, port: 5353 }, all);
  return { time, sent, ask };
}

describe('a question that comes in several packets', () => {
  test('is answered after 400 ms, without what the further packets say is known', async () => {
    const { time, sent, ask } = openLink();
    ask({ questions: services, isTruncated: true });
    await time.advance(300);
    ask({ answers: pointers });
    await time.advance(1_000);
    expect(sent).toEqual([]);
    ask({ questions: services, isTruncated: true });
    ask({ answers: [{ ...(pointers[0] as DnsRecord), ttlS: 10 }] });
    await time.advance(399);
    expect(sent).toEqual([]);
    await time.advance(1);
    expect(sent[0]?.message.answers).toEqual(pointers);
  });

  test('is answered as soon as another client asks the same, whatever the first one knows', async () => {
    const { time, sent, ask } = openLink();
    ask({ questions: services, isTruncated: true });
    ask({ questions: services }, TABLET);
    ask({ answers: pointers });
    await time.advance(20);
    expect(sent[0]?.message.answers).toEqual(pointers);
  });

  test('holds up no answer that another host waits for, such as one to a probe', async () => {
    const { time, sent, ask } = openLink();
    ask({ questions: services, isTruncated: true });
    const [host = dnsName()] = uniqueNames;
    const claim = { name: host, type: DNS_TYPE.A, ttlS: 120, isUnique: false, data: Buffer.of(192, 168, 50, 3) };
    ask({ questions: [{ name: host, type: DNS_TYPE.ANY }], authorities: [claim], isTruncated: true }, TABLET);
    await time.advance(0);
    expect(sent[0]?.message.answers.map(({ type }) => type)).toContain(DNS_TYPE.A);
  });
});

test('a question for what a service does not have is answered with what it has', async () => {
  const { time, sent, ask } = openLink();
  ask({ questions: [{ name: dnsName('Home', '_http', '_tcp', 'local'), type: DNS_TYPE.AAAA }] });
  await time.advance(0);
  expect(sent[0]?.message.answers.map(({ type }) => type)).toEqual([DNS_TYPE.NSEC]);
});
