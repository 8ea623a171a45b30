import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import { createNextFirings } from '#hub/automation/next-times.ts';
import { calendarRoutes } from '#http/calendar/routes.ts';
import { sunOfDay } from '#hub/hub-place.ts';
import { definitionOf } from '#test/support/automation/known-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { openTestPlace } from '#test/core/place/place-home.ts';

const STATES: Readonly<Record<string, string>> = { Off: 'disabled', Broken: 'broken' };

async function createHarness() {
  const { hubClock, locationRecord, calendars } = await openTestPlace();
  const automations: AutomationRecord[] = [];
  const zone = createTimeZone('Europe/Berlin');
  const { request } = createTestApp(
    calendarRoutes({
      calendars,
      hubClock,
      eventCursor: () => 'run1-1',
      timeZone: () => zone,
      sunOfDay: (atMs) => sunOfDay(locationRecord.location(), () => zone, atMs),
      automations: {
        automations: () => automations,
        stateOf: ({ name }) => ({ state: STATES[name] ?? 'ready' }) as never,
      },
      automationEngine: {
        statusOf: (id) => ({ tripped: null, nextAtMs: id === 'none' ? null : hubClock.nowMs() + 1, running: 0 }),
      },
      nextFirings: createNextFirings({
        hubClock,
        timeZone: () => zone,
        place: { location: locationRecord.location, isFree: calendars.isFree },
        variables: { findVariable: () => undefined },
      }),
    }),
  );
  let changes = 0;
  calendars.subscribe(() => (changes += 1));
  const send = async (call: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await request(`/api/v1/calendar${path}`, {
      method,
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const json = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>;
    return { status: answer.status, headers: answer.headers, json };
  };
  const add = (name: string, triggers: readonly JsonObject[], id: string = randomUUID()): void => {
    const definition = definitionOf({ triggers, steps: [{ delay: { s: 1 } }] });
    automations.push({ id, selector: name.toLowerCase(), name, definition } as unknown as AutomationRecord);
  };
  return { send, add, hubClock, locationRecord, calendars, changes: () => changes };
}

describe('calendars', () => {
  test('are made, listed, changed by revision and removed', async () => {
    const { send, calendars, changes } = await createHarness();
    const made = await send('PUT /holidays', { dates: ['12-24..12-26'] });
    expect([made.status, made.headers.get('etag')]).toEqual([200, '"1"']);
    expect(made.json).toMatchObject({ key: 'holidays', name: 'holidays', dates: ['12-24..12-26'], free: true });
    expect(calendars.isFree('2030-12-25')).toBe(true);
    const stale = await send('PUT /holidays', { dates: [] }, { 'If-Match': '"2"' });
    expect(stale.json['code']).toBe('PRECONDITION_FAILED');
    const renamed = await send('PUT /holidays', { name: 'Bins', dates: ['12-27'], free: false }, { 'If-Match': '"1"' });
    expect(renamed.json).toMatchObject({ name: 'Bins', free: false, revision: 2 });
    expect(calendars.isFree('2030-12-27')).toBe(false);
    expect((await send('GET ')).json).toMatchObject([{ key: 'holidays', free: false }]);
    expect((await send('GET /holidays')).json).toEqual(renamed.json);
    expect((await send('DELETE /holidays')).status).toBe(204);
    expect((await send('GET /holidays')).status).toBe(404);
    expect((await send('DELETE /holidays')).status).toBe(404);
    expect(changes()).toBe(3);
  });

  test.each([
    [{ dates: ['12-32'] }, '/dates/0'],
    [{ dates: ['12-24', '2026-02-30'] }, '/dates/1'],
    [{ dates: ['tomorrow'] }, '/dates/0'],
    [{ name: 'x' }, '/dates'],
    [{ dates: [], workday: true }, '/workday'],
  ])('%j is refused at %s', async (body, pointer) => {
    const { send } = await createHarness();
    const { status, json } = await send('PUT /holidays', body);
    expect([status, json['errors']]).toMatchObject([422, [{ pointer }]]);
  });

  test('are at most 20, with keys that can stand in an address', async () => {
    const { send } = await createHarness();
    expect((await send('PUT /Bad%20Key', { dates: [] })).status).toBe(404);
    for (let one = 0; one < 20; one += 1) expect((await send(`PUT /c${one}`, { dates: [] })).status).toBe(200);
    expect((await send('PUT /c20', { dates: [] })).json['code']).toBe('LIMIT_REACHED');
    expect((await send('PUT /c3', { dates: ['01-01'] })).status).toBe(200);
  });
});

describe('what comes next', () => {
  const NOON_MS = Date.UTC(2026, 11, 23, 11);

  test('is unknown while the hub does not know what day it is', async () => {
    const { send } = await createHarness();
    expect(await send('GET _day')).toMatchObject({ status: 409, json: { code: 'CLOCK_NOT_SET' } });
  });

  test('has the days of calendars, and which of them are workdays', async () => {
    const { send, hubClock } = await createHarness();
    await hubClock.tell(NOON_MS);
    await send('PUT /holidays', { name: 'Holidays', dates: ['12-24', '2027-03-28'] });
    await send('PUT /bins', { name: 'Bins', dates: ['2026-12-24', '2026-12-29'], free: false });
    expect((await send('GET _day')).json).toEqual({
      today: '2026-12-23',
      workday: true,
      days: [
        {
          date: '2026-12-24',
          workday: false,
          calendars: [
            { key: 'bins', name: 'Bins' },
            { key: 'holidays', name: 'Holidays' },
          ],
        },
        { date: '2026-12-29', workday: true, calendars: [{ key: 'bins', name: 'Bins' }] },
        { date: '2027-03-28', workday: false, calendars: [{ key: 'holidays', name: 'Holidays' }] },
      ],
      sun: null,
      firings: [],
    });
  });

  test('has the sun for those who may see the location, and for nobody else', async () => {
    const { send, hubClock, locationRecord } = await createHarness();
    await hubClock.tell(NOON_MS);
    await locationRecord.set({ latitude: 52.52, longitude: 13.41, elevationM: null }, () => undefined);
    const sun = (await send('GET _day')).json['sun'] as Record<string, string>;
    expect(sun).toMatchObject({
      sunrise: expect.stringMatching(/^2026-12-23T07:1\d/),
      sunset: expect.stringMatching(/^2026-12-23T14:5\d/),
    });
    const asResident = await send('GET _day', undefined, { Authorization: 'Bearer resident' });
    expect(asResident.json).toMatchObject({ today: '2026-12-23', sun: null });
  });

  test('has no sun where it does not rise', async () => {
    const { send, hubClock, locationRecord } = await createHarness();
    await hubClock.tell(NOON_MS);
    await locationRecord.set({ latitude: 78.22, longitude: 15.65, elevationM: null }, () => undefined);
    expect((await send('GET _day')).json['sun']).toMatchObject({
      sunrise: null,
      sunset: null,
      noon: expect.any(String),
    });
  });

  test('has the next 20 times of all automations that are on, those of the sun for who may see the location', async () => {
    const { send, add, hubClock, locationRecord } = await createHarness();
    await hubClock.tell(NOON_MS);
    await locationRecord.set({ latitude: 52.52, longitude: 13.41, elevationM: null }, () => undefined);
    add('Evening', [{ type: 'sun', event: 'sunset' }]);
    add('Noon', [
      { id: 'late', type: 'time', at: '13:30' },
      { id: 'early', type: 'time', at: '12:30' },
    ]);
    add('Off', [{ type: 'time', at: '12:31' }]);
    add('Broken', [{ type: 'time', at: '12:32' }]);
    add('Idle', [{ type: 'time', at: '12:33' }], 'none');
    const shown = async (token: string): Promise<readonly string[]> => {
      const { json } = await send('GET _day', undefined, { Authorization: `Bearer ${token}` });
      const firings = json['firings'] as readonly { at: string; trigger: string; automation: { name: string } }[];
      return firings.map(({ at, trigger, automation: { name } }) => `${at.slice(5, 16)} ${name} ${trigger}`);
    };
    const all = await shown('owner');
    expect(all).toHaveLength(20);
    expect(all.slice(0, 5)).toEqual([
      '12-23T11:30 Noon early',
      '12-23T12:30 Noon late',
      expect.stringMatching(/^12-23T14:5\d Evening t1$/),
      '12-24T11:30 Noon early',
      '12-24T12:30 Noon late',
    ]);
    expect((await shown('resident')).slice(0, 3)).toEqual([
      '12-23T11:30 Noon early',
      '12-23T12:30 Noon late',
      '12-24T11:30 Noon early',
    ]);
  });

  test('ends with 50 days', async () => {
    const { send, hubClock } = await createHarness();
    await hubClock.tell(NOON_MS);
    await send('PUT /all', { dates: ['01-01..12-31'] });
    expect((await send('GET _day')).json['days']).toHaveLength(50);
  });
});
