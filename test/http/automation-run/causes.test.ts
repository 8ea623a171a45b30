import { describe, expect, test } from 'vitest';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { timelineOf } from '#core/past/history/sample.ts';
import { textFromEntry } from '#core/past/timeline/timeline-line.ts';
import { causeRoutes } from '#http/automation-run/cause-routes.ts';
import { ADA, ago, NOW_MS } from '#test/http/history/history-app.ts';
import { createHistory } from '#test/core/past/history/sampled-history.ts';
import { lamp, openDeviceHome } from '#test/support/hub/device-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { trace, TRIGGER } from '#test/core/automation-run/trace/trace-makers.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

type Json = { readonly [name: string]: unknown };
const RULE = '0198f1c2-0000-7000-8000-0000000000aa';

async function openScene() {
  const hub = await openWholeHub();
  const { devices } = hub.home;
  const owner = await hub.addPerson('ada', 'owner');
  const lamp = devices.findDevice('kitchen-ceiling');
  const motion = devices.findDevice('hallway-motion');
  if (lamp === undefined || motion === undefined) throw new Error('the home is not furnished');
  const get = async (path: string, token = owner.token): Promise<Json> => {
    const answer = await hub.call(`GET ${path}`, { token });
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json;
  };
  const switchLamp = async (): Promise<string> => {
    const { json } = await hub.call('POST /device/kitchen-ceiling/command', {
      token: owner.token,
      body: { set: { on: lamp.states.get('on')?.value !== true } },
    });
    return String(json['id']);
  };
  return { hub, owner, lamp, motion, get, switchLamp };
}

/** A home with one lamp, of which the hub recorded a change by a command and one without. */
async function openRecorded() {
  const home = await openDeviceHome();
  await home.reports.syncDevices([lamp('a')]);
  const { id } = home.device('a');
  const cause = { command: 'c1', scene: null, automation: null, run: null, depth: 0 };
  const by = { type: 'session', id: 's1', userId: ADA.id } as const;
  const line = textFromEntry({ type: 'feature.changed', key: 'on', value: true, cause, by });
  const stored = createHistory([{ atMs: ago(7), value: line }]);
  const values = createHistory([
    { atMs: ago(9), value: false },
    { atMs: ago(7), value: true },
    { atMs: ago(4), value: false },
  ]);
  const of = (series: string): HistoryStore => (series === timelineOf(id) ? stored : values);
  const routes = causeRoutes({
    commands: { findCommand: () => undefined },
    registry: home.registry,
    runHistory: { runs: { find: () => undefined } },
    history: {
      readSlice: (range, after) => of(range.series).readSlice(range, after),
      findBefore: (series, atMs) => of(series).findBefore(series, atMs),
    },
    automations: { find: () => undefined, findInTrash: () => undefined },
    accounts: { findUser: (user) => (user === ADA.id ? ADA : undefined) },
    nowMs: () => NOW_MS,
  });
  return { app: createTestApp(routes), at: (hours: number) => new Date(ago(hours)).toISOString() };
}

describe('what caused a command or a change', () => {
  test('is the person who commanded it, by name', async () => {
    const { get, switchLamp } = await openScene();
    const id = await switchLamp();
    const by = { type: 'session', user: { name: 'ada' } };
    expect(await get(`/command/${id}/why`)).toMatchObject({
      origin: 'person',
      chain: [
        {
          type: 'command',
          command: { id },
          by,
          sentence: 'ada gave the command.',
          reason: { id: 'person_commanded', with: { name: 'ada' } },
        },
      ],
    });
  });

  test.each([
    { what: 'the person, where the logbook has a cause', hours: 6, origin: 'person', types: 'change command' },
    { what: 'probably a hand, where no command explains it', hours: 3, origin: 'hand', types: 'change' },
  ])('of a feature is $what', async ({ hours, origin, types }) => {
    const { app, at } = await openRecorded();
    const path = `/api/v1/device/a/feature/on/why?at=${at(hours)}`;
    const answer = await app.request(path, { headers: { Authorization: 'Bearer resident' } });
    expect(answer.status).toBe(200);
    const json = (await answer.json()) as { chain: readonly Json[] };
    expect(json).toMatchObject({ origin });
    expect(json.chain.map(({ type }) => type).join(' ')).toBe(types);
    expect(JSON.stringify(json).includes('probably')).toBe(origin === 'hand');
    expect(JSON.stringify(json).includes('Ada gave the command.')).toBe(origin === 'person');
  });

  test('is hidden from those who may not see it, with all that came before', async () => {
    const { hub, owner, lamp, motion, get } = await openScene();
    const { commands, runHistory } = hub.home;
    runHistory.runs.put(trace(Date.now(), 'finished', { id: 'r1', trigger: { ...TRIGGER, device: motion.id } }));
    const command = commands.accept(
      new Map([[lamp, { set: { on: true } }]]),
      {
        isForOne: true,
        transitionMs: null,
        expiresInS: null,
        issuer: { type: 'automation', id: RULE, userId: owner.user.id },
        cause: { command: null, scene: null, automation: RULE, run: 'r1', depth: 1 },
        authorize: () => undefined,
      },
      null,
    );
    const path = `/command/${command.id}/why`;
    expect(await get(path)).toMatchObject({
      origin: 'report',
      chain: [{ type: 'command' }, { type: 'run', automation: RULE }, { type: 'trigger', device: 'hallway-motion' }],
    });
    const token = (scopes: readonly ('device:read' | 'automation:read')[], deviceIds?: readonly (typeof lamp.id)[]) =>
      hub.addToken(owner.user, { scopes: [...scopes], ...(deviceIds && { deviceIds: [...deviceIds] }) });
    const blind = await get(path, await token(['device:read']));
    expect(blind).toMatchObject({ origin: 'hidden', chain: [{ type: 'command' }, { type: 'run', hidden: true }] });
    expect(JSON.stringify(blind)).not.toMatch(/hallway|r1|00aa/);
    const narrow = await hub.call(`GET ${path}`, { token: await token(['device:read'], [motion.id]) });
    expect(narrow.status).toBe(404);
  });

  test.each([
    ['/command/no-such/why', 404],
    ['/device/no-such/feature/on/why', 404],
    ['/device/kitchen-ceiling/feature/no-such/why', 404],
    ['/device/kitchen-ceiling/feature/on/why?at=noon', 400],
    ['/device/kitchen-ceiling/feature/on/why?at=2020-01-01T00:00:00Z', 404],
  ])('%s is refused with %i', async (path, status) => {
    const { hub, owner } = await openScene();
    expect((await hub.call(`GET ${path}`, { token: owner.token })).status).toBe(status);
  });
});
