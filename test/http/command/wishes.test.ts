import { describe, expect, test } from 'vitest';
import { commandRoutes } from '#http/command/routes.ts';
import { createFeature } from '#test/support/hub/feature.ts';
import { describeDevice, openCommandHome } from '#test/support/hub/command-home.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';

type Answer = { status: number; json: Record<string, unknown> & { code?: string; errors?: { pointer: string }[] } };

async function openApp() {
  const home = await openCommandHome([
    describeDevice('lamp'),
    describeDevice('strip'),
    describeDevice('lock', { type: 'door_lock', features: [createFeature('locked', { capability: 'locked' })] }),
  ]);
  const { request } = createTestApp(
    commandRoutes({
      audit: { record: async () => undefined },
      commands: home.commands,
      registry: home.registry,
      findRoom: home.rooms.findRoom,
    }),
  );
  const give = async (body: unknown, role = 'owner'): Promise<Answer> => {
    const headers = { Authorization: `Bearer ${role}`, 'Content-Type': 'application/json', Prefer: 'wait=0' };
    const answer = await request('/api/v1/command', { method: 'POST', headers, body: JSON.stringify(body) });
    await home.time.advance(0);
    return { status: answer.status, json: (await answer.json()) as Answer['json'] };
  };
  return { home, give };
}

describe('a command that wants something else of each device', () => {
  test('is one command with one result for each value', async () => {
    const { home, give } = await openApp();
    const { status, json } = await give({
      wishes: [
        { device: 'lamp', set: { on: true, brightness: 15 }, transition_ms: 2000 },
        { device: home.device('strip').id, do: 'toggle' },
      ],
      transition_ms: 500,
    });
    expect(status).toBe(202);
    expect(json).toMatchObject({
      device: null,
      cause: { command: null, scene: null },
      results: [
        { device: 'lamp', key: 'on', requested: true },
        { device: 'lamp', key: 'brightness', requested: 15 },
        { device: 'strip', key: 'on', requested: true },
      ],
    });
    expect(home.sent()).toEqual(['lamp on=true brightness=15', 'strip on=true']);
    expect(home.wire.map(({ transitionMs }) => transitionMs)).toEqual([2000, 500]);
  });

  test.each([
    ['an unknown device', { wishes: [{ device: 'nobody', set: { on: true } }] }, ['/wishes/0/device']],
    [
      'a device twice',
      {
        wishes: [
          { device: 'lamp', set: { on: true } },
          { device: 'lamp', set: { on: false } },
        ],
      },
      ['/wishes/1/device'],
    ],
    [
      'values that do not fit, all of them',
      {
        wishes: [
          { device: 'lamp', set: { on: 'x', brightness: 900 } },
          { device: 'strip', set: { volume: 3 } },
        ],
      },
      ['/wishes/0/set/on', '/wishes/0/set/brightness', '/wishes/1/set/volume'],
    ],
    ['a wish without a value', { wishes: [{ device: 'lamp' }] }, ['/wishes/0/set']],
    [
      'targets beside the wishes',
      { wishes: [{ device: 'lamp', set: { on: true } }], targets: { devices: ['strip'] }, set: { on: true } },
      ['/targets', '/set'],
    ],
    ['neither targets nor wishes', { set: { on: true } }, ['/targets']],
  ])('is refused with its place: %s', async (_, body, pointers) => {
    const { home, give } = await openApp();
    const { status, json } = await give(body);
    expect([status, json.errors?.map(({ pointer }) => pointer)]).toEqual([422, pointers]);
    expect(home.wire).toEqual([]);
  });

  test('sends nothing at all if one of the devices is a lock to which the caller has no right', async () => {
    const { home, give } = await openApp();
    const wishes = [
      { device: 'lamp', set: { on: true } },
      { device: 'lock', set: { locked: false } },
    ];
    expect((await give({ wishes }, 'guest')).status).toBe(403);
    expect(home.wire).toEqual([]);
    expect((await give({ wishes }, 'resident')).status).toBe(202);
  });
});
