import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readRefreshToken } from '#auth/session/refresh-token.ts';
import { createEventLog } from '#core/event/event-log.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import { deviceQuerySchema, selectDevices } from '#http/device/query.ts';
import { isNotModified, requiredRevision } from '#http/answer/entity-tag.ts';
import { eventFilterShape, readEventFilter } from '#http/event/filter.ts';
import { readAuthority, createForwardedGuard, refuseMalformed, createOriginGuard } from '#http/edge/guards.ts';
import { refuseBodyFields } from '#http/routing/json-body.ts';
import { preferredWait, replayOf } from '#http/command/give.ts';
import { readQuery } from '#http/routing/query-string.ts';
import type { RequestFacts } from '#http/edge/request-facts.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { findSlowest, MAX_RATIO } from '#test/support/attack/slow-text.ts';

/** What Node reads of all fields together, at most. */
const SIZE = 8 * 1024;
const ENDS = [
  '',
  ' ',
  '"',
  ',',
  ';',
  '=',
  'x',
  '%',
  'W/"',
  ';charset=',
  'wait=',
  'Bearer ',
  'application/json;charset=',
  '/a?cursor=',
];
const REPEATED = [
  ' ',
  '\t',
  ',',
  ';',
  '=',
  '"',
  'a',
  '1',
  '.',
  '-',
  '_',
  '%41',
  '\\',
  'W/"a",',
  'a,',
  ';a=',
  '; ',
  'wait=',
  'q=0',
  '&a',
  '/',
  '=',
];

let hub: HubApp;
beforeAll(async () => {
  hub = await openHubApp();
});

const factsOf = (fields: Record<string, string>, target = '/'): RequestFacts => ({
  method: 'GET',
  target,
  httpVersion: '1.1',
  rawHeaders: ['host', 'hub.local', ...Object.entries(fields).flat()],
  header: (name) => fields[name] ?? (name === 'host' ? 'hub.local' : undefined),
  peer: '127.0.0.1',
});
const rule = { isLanLiteral: () => false, names: () => new Set<string>(), origins: [] };
const { log } = createRecordingLog();
const clock = { monotonicMs: () => 0 };
const ring = { capacity: 1, maxBytes: 1 };
const events = createEventLog({
  startLater: (run) => void setImmediate(run),
  epoch: 'a',
  log,
  sizes: { feature: ring, inventory: ring, passing: ring, asked: ring },
  monotonicMs: () => 0,
  rightOf: () => null,
  encode: () => ({ frame: Buffer.alloc(0), dataFrom: 0, dataTo: 0 }),
});

const findNothing = (): undefined => undefined;

describe('the longest possible field costs no more time per character than a short one', () => {
  test.each<[string, (text: string) => unknown]>([
    ['Accept-Encoding', (text) => chooseCoding(text)],
    ['Authorization', (text) => hub.auth.authenticate([text], '127.0.0.1')],
    [
      'Content-Type',
      (text) =>
        refuseBodyFields({ schema: z.unknown(), maxBytes: 100 }, (name) => (name === 'content-type' ? text : '')),
    ],
    ['Host', readAuthority],
    ['Idempotency-Key', (text) => replayOf(text, { kind: 'session' } as never, {})],
    ['If-Match', (text) => requiredRevision(text, 1)],
    ['If-None-Match', (text) => isNotModified(text, '"1"')],
    ['Last-Event-ID', (text) => events.locate(text)],
    ['Origin', (text) => createOriginGuard(rule)(factsOf({ origin: text }))],
    ['Prefer', preferredWait],
    ['a field name', (text) => createForwardedGuard({ log, clock })(factsOf({ [text]: '' }))],
    ['the target', (text) => refuseMalformed(factsOf({}, `/${text}`))],
    ['the query of the devices', (text) => readQuery(deviceQuerySchema, `/?${text}`)],
    ['the cursor of the devices', (cursor) => selectDevices([], { cursor }, findNothing)],
    [
      'the query of the events',
      (text) =>
        readEventFilter(readQuery(z.object(eventFilterShape()), `/?device=${text}`), {
          findDevice: findNothing,
          findRoom: findNothing,
        }),
    ],
    ['a query of a call that has none', (text) => readQuery(undefined, `/?${text}`)],
    ['a refresh token', readRefreshToken],
  ])('%s', (field, parse) => {
    const { text, ratio, tried } = findSlowest({ parse, ends: ENDS, repeated: REPEATED, size: SIZE });
    // Each of them was answered or refused.
    expect(tried).toBe(ENDS.length * REPEATED.length * ENDS.length);
    expectBelow(`${field}${text}: four times the text, times as long`, ratio, MAX_RATIO);
  });
});
