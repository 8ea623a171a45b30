import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fault, startBrokenHub } from '#test/fuzz/http/broken-hub.ts';
import {
  askUntilSuccess,
  type CampaignDeps,
  type CampaignReport,
  describeFindings,
  nameOf,
  runCampaign,
  silentIn,
} from '#test/fuzz/http/campaign.ts';
import { codingsRefused, decodeBody } from '#test/fuzz/http/answer-coding.ts';
import { createFuzzClient } from '#test/fuzz/http/fuzz-client.ts';
import type { FuzzRequest } from '#test/fuzz/http/fuzz-request.ts';
import { type FuzzHub, openFuzzHub } from '#test/fuzz/http/fuzz-hub.ts';
import { findRawProblems } from './raw-campaign.ts';
import { MAX_ANSWER_MS, startStallProbe } from './stall-probe.ts';

// An instrument that misses a fault which is there proves nothing when it finds none.

const SEED = 20_261_121;
let open: FuzzHub;
let ownerToken: string;
beforeAll(async () => {
  open = await openFuzzHub();
  ownerToken = open.deps.callers.byName.get('owner')?.token ?? '';
});
afterAll(() => open.folder.close());

/** The findings of requests to a few calls of a hub with this fault. */
async function fuzzBroken(fault: Fault, path: RegExp, deps: Partial<CampaignDeps> = {}): Promise<CampaignReport> {
  const broken = await startBrokenHub(open.hub.address, fault);
  const operations = open.deps.operations.filter((one) => path.test(one.path));
  const report = await runCampaign(
    { ...open.deps, ...deps, address: broken.address, operations },
    { requests: 2_400, seed: SEED },
  );
  broken.close();
  return report;
}

describe('a hub with a fault is found out, by the smallest request', () => {
  test('the relay alone is no fault', async () => {
    expect(describeFindings(await fuzzBroken({}, /\/(?:me|hub|device)$/))).toBe(`\nseed ${SEED}`);
  });

  test('one call of many fails', async () => {
    const answer: Fault['answer'] = (asked, given) =>
      asked.target.startsWith('/api/v1/hub') && asked.method === 'PATCH' ? { ...given, status: 500 } : given;
    const [finding] = (await fuzzBroken({ answer }, /\/(?:me|hub|room)$/)).findings;
    expect(finding?.problems).toContainEqual(expect.stringContaining('the hub failed: 500'));
    expect(finding?.curl).toMatch(/^(?:base64 .* \| )?curl -si --path-as-is -X PATCH .*\/api\/v1\/hub'$/);
  });

  test('a field that the document wants is missing', async () => {
    const answer: Fault['answer'] = (asked, given) =>
      asked.target === '/api/v1/me' && given.status === 200
        ? { ...given, body: given.body.replace('"role":', '"rank":') }
        : given;
    const [finding] = (await fuzzBroken({ answer }, /\/(?:me|hub|device)$/)).findings;
    expect(finding?.problems.join()).toContain("must have required property 'role'");
  });

  test('a header, a status or a field that the document has not', async () => {
    const answer: Fault['answer'] = (_, given) => {
      given.headers.set('X-Powered-By', 'hub');
      return given;
    };
    const [finding] = (await fuzzBroken({ answer }, /\/hub$/)).findings;
    expect(finding?.problems.join()).toContain('does not declare the header x-powered-by');
  });

  test('a coding that the request does not accept', async () => {
    const answer: Fault['answer'] = (asked, given) => {
      if (asked.headers['accept-encoding'] === undefined) given.headers.set('Content-Encoding', 'gzip');
      return given;
    };
    const [finding] = (await fuzzBroken({ answer }, /\/device$/)).findings;
    expect(finding?.problems).toContain('the request does not accept the coding gzip');
    expect(finding?.problems.join()).not.toContain('JSON');
  });

  test('a body that is not in the coding that it is said to be in', async () => {
    const answer: Fault['answer'] = (_, given) => {
      given.headers.set('Content-Encoding', 'br');
      return given;
    };
    const [finding] = (await fuzzBroken({ answer }, /\/device$/)).findings;
    expect(finding?.problems).toContain('the body is not br');
  });

  test('a token with one wrong letter passes', async () => {
    const right = ownerToken;
    const ask: Fault['ask'] = (asked) => {
      const token = asked.headers['authorization']?.slice('Bearer '.length) ?? '';
      const isNear = token.length === right.length && token !== right && token.slice(0, 40) === right.slice(0, 40);
      return isNear ? { ...asked, headers: { ...asked.headers, authorization: `Bearer ${right}` } } : asked;
    };
    const [finding] = (await fuzzBroken({ ask }, /\/(?:me|hub|device)$/)).findings;
    expect(finding?.problems.join()).toMatch(/bypass: 200 for (?:owner with a mutated token|revoked|foreign)/);
  });

  test('a role has a right that it should not have', async () => {
    const guest = open.deps.callers.byName.get('guest')?.token ?? '';
    const ask: Fault['ask'] = (asked) =>
      asked.headers['authorization'] === `Bearer ${guest}`
        ? { ...asked, headers: { ...asked.headers, authorization: `Bearer ${ownerToken}` } }
        : asked;
    const { findings } = await fuzzBroken({ ask }, /\/audit$/);
    expect(findings[0]?.problems.join()).toContain('bypass: 200 for guest, who lacks system:manage');
  });

  test('a path that is written in another way passes', async () => {
    const ask: Fault['ask'] = (asked) => ({
      ...asked,
      target: asked.target.toLowerCase().replaceAll(/;x=1|\.json|%20|%00|\/(?=\/|\?|$)|\/\.(?=\/|$)/g, ''),
    });
    const [finding] = (await fuzzBroken({ ask }, /\/(?:me|hub|device)$/)).findings;
    expect(finding?.problems.join()).toContain('bypass: 200 where the document has nothing');
  });

  test('a token for one room sees another', async () => {
    const kitchen = open.deps.callers.byName.get('kitchen')?.token ?? '';
    const ask: Fault['ask'] = (asked) =>
      asked.headers['authorization'] === `Bearer ${kitchen}`
        ? { ...asked, headers: { ...asked.headers, authorization: `Bearer ${ownerToken}` } }
        : asked;
    const { findings } = await fuzzBroken({ ask }, /\/device$/);
    expect(findings[0]?.problems.join()).toMatch(/bypass: kitchen sees a device in (?:living-room|bedroom|hallway)/);
  });

  test('a failure leaks internals', async () => {
    const answer: Fault['answer'] = (_, given) =>
      given.status === 404 ? { ...given, body: given.body.replace('"detail":"', '"detail":"TypeError ') } : given;
    const [finding] = (await fuzzBroken({ answer }, /\/device\/\{selector\}$/)).findings;
    expect(finding?.problems).toContain('the answer tells of the inside: TypeError');
  });

  test('it answers no more', async () => {
    let answered = 0;
    const answer: Fault['answer'] = (_, given) => ((answered += 1) > 100 ? 'none' : given);
    const { findings, sent } = await fuzzBroken({ answer }, /\/(?:me|hub|device)$/, { answerWithinMs: 500 });
    expect(findings[0]?.problems).toEqual(['no answer']);
    expect(sent).toBeLessThan(200);
  });

  test('the event loop stands still for 120 ms', async () => {
    let blocked = 0;
    const answer: Fault['answer'] = (_, given) => {
      blocked += 1;
      // Blocks as a system call does, without waiting for a processor, so that a busy machine finds it too.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
      return given;
    };
    const broken = await startBrokenHub(open.hub.address, { answer });
    const probe = startStallProbe(broken.address, process.pid);
    await expect.poll(() => blocked).toBeGreaterThan(10);
    const { longestMs, samples } = await probe.end();
    broken.close();
    expect(samples).toBeGreaterThan(0);
    expect(longestMs).toBeGreaterThan(MAX_ANSWER_MS);
  });

  test.each([
    ['HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n', true, 'the hub failed: 500'],
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]', true, 'bypass: 200 []'],
    ['HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\n{}', true, 'a failure is not a problem'],
    ['HTTP/1.1 400 Bad Request\r\nX: a\r\nb\r\n\r\n', true, 'no answer begins with'],
    ['<html>', true, 'no answer begins with "<html>"'],
    ['', false, 'the connection was left open'],
  ])('the bytes %j', (text, isEnded, problem) => {
    expect(findRawProblems({ text, isEnded }).join()).toContain(problem);
  });
});

test('an answer is read as it was coded, also where a coding is refused and all others are accepted', async () => {
  const owner = open.deps.callers.byName.get('owner');
  if (owner === undefined) throw new Error('there is no owner');
  const client = createFuzzClient(open.deps, '127.0.0.99');
  const codings: (string | null | undefined)[] = [];
  for (const accepted of ['gzip, br;q=0, *;q=1', 'gzip, br', 'br;q=0, gzip;q=0.000', undefined]) {
    const coding = accepted === undefined ? {} : { 'Accept-Encoding': accepted };
    const request: FuzzRequest = {
      method: 'GET',
      target: '/api/v1/device',
      headers: { Authorization: `Bearer ${ownerToken}`, ...coding },
      body: null,
      caller: owner,
      doomedRole: undefined,
    };
    const answer = await client.send(request);
    expect(open.deps.checkAnswer(request, answer)).toEqual([]);
    codings.push(answer?.headers.get('content-encoding'));
  }
  client.close();
  expect(codings).toEqual(['gzip', 'br', null, null]);
});

test.each([
  ['gzip', gzipSync('{}')],
  ['deflate', deflateSync('{}')],
  ['br', brotliCompressSync('{}')],
  ['gzip, br', brotliCompressSync(gzipSync('{}'))],
  [null, Buffer.from('{}')],
])('a body in the coding %s', (coding, bytes) => {
  expect(decodeBody(bytes, coding)).toEqual({ body: '{}', garbled: undefined });
});

test.each([
  ['gzip', 'gzip, br;q=0, *;q=1', []],
  ['br', 'gzip, br;q=0, *;q=1', ['br']],
  ['deflate', 'gzip, br;q=0, *;q=1', []],
  ['gzip', 'GZIP ; Q=0.5', []],
  ['gzip', 'br, *;q=0', ['gzip']],
  ['gzip', undefined, ['gzip']],
  [null, undefined, []],
])('an answer in the coding %s to a request that accepts %s', (coding, accepted, refused) => {
  expect(codingsRefused(coding, accepted)).toEqual(refused);
});

test('a call about something short-lived succeeds as soon as that is made, among forty that are gone', async () => {
  const [make, show] = ['POST /api/v1/automation_simulation', 'GET /api/v1/automation_simulation/{id}'].map((name) =>
    open.deps.operations.find((one) => nameOf(one) === name),
  );
  if (make === undefined || show === undefined) throw new Error('the document has not both calls');
  for (let gone = 10; gone < 60; gone += 1) {
    open.deps.pools.note(make.path, { id: `00000000-0000-7000-8000-0000000000${gone}` });
  }
  const report = await askUntilSuccess(open.deps, { operation: show, makers: [make], seed: SEED });
  expect(silentIn([show], [report])).toEqual([]);
  const made = [200, 202].map((status) => report.tally.get(`${nameOf(make)} ${status}`) ?? 0);
  expect(Math.max(...made)).toBeLessThan(3);
});
