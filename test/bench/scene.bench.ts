import { setTimeout as wait } from 'node:timers/promises';
import { test } from 'vitest';
import { startLampHouse } from '#test/support/peers/lamp-house.ts';
import { radioAddress } from '#test/support/peers/real-zigbee2mqtt.ts';
import { interleave, recordFigure } from './support/figure.ts';

/** A broadcast follows the last one after a second, and a caller has ten commands a second. */
const REST_MS = 3_000;
const LEVELS = [80, 20] as const;

test('a scene of twenty lamps over the real Zigbee2MQTT', async () => {
  const house = await startLampHouse();
  const { hub, client, selectors } = house;
  const lamps = selectors.map((_, index) => `zigbee2mqtt/${radioAddress(index + 1)}`);
  await house.addRadioGroup('all', [...selectors.keys()]);
  await client.subscribeAsync(lamps);
  let turn = 0;
  /** Brightness of this turn, so that each lamp changes in each. */
  const next = (): number => LEVELS[(turn += 1) % LEVELS.length] ?? 0;
  const timed = async (run: () => Promise<void>): Promise<number> => {
    await wait(REST_MS);
    const startMs = performance.now();
    await run();
    return performance.now() - startMs;
  };
  const prefer = { Prefer: 'wait=30' };
  const demand = (status: unknown): void => {
    if (status !== 'confirmed') throw new Error(`the command is ${String(status)}`);
  };
  for (const level of LEVELS) {
    for (const [name, first] of [
      ['alike', level],
      ['unlike', level + 1],
    ] as const) {
      const targets = selectors.map((device, index) => ({
        device,
        set: { on: true, brightness: index === 0 ? first : level },
      }));
      const { status } = await hub.call('POST /scene', { body: { name: `${name} ${level}`, targets } });
      if (status !== 201) throw new Error(`the scene was answered ${status}`);
    }
  }
  const activate = (name: string) => async (): Promise<void> => {
    const { json } = await hub.call(`POST /scene/${name}-${next()}/activate`, {
      body: { force: true },
      headers: prefer,
    });
    demand(json['status']);
  };
  const published = (level: number): Promise<void> => {
    const silent = new Set(lamps);
    return new Promise((resolve) => {
      const listen = (topic: string, payload: Buffer): void => {
        const { brightness } = JSON.parse(payload.toString()) as { brightness?: number };
        if (brightness === level) silent.delete(topic);
        if (silent.size > 0) return;
        client.off('message', listen);
        resolve();
      };
      client.on('message', listen);
    });
  };
  const bare = (topics: readonly string[]) => async (): Promise<void> => {
    const brightness = Math.round(next() * 2.54);
    const done = published(brightness);
    for (const topic of topics) client.publish(`${topic}/set`, JSON.stringify({ state: 'ON', brightness }));
    await done;
  };
  try {
    const found = await interleave({
      group: () => timed(activate('alike')),
      scene: () => timed(activate('unlike')),
      singles: () =>
        timed(async () => {
          const set = { on: true, brightness: next() };
          const answers = selectors.map((one) =>
            hub.call(`POST /device/${one}/command`, { body: { set }, headers: prefer }),
          );
          for (const { json } of await Promise.all(answers)) demand(json['status']);
        }),
      bareSingles: () => timed(bare(lamps)),
      bareGroup: () => timed(bare(['zigbee2mqtt/all'])),
    });
    const ms = (value: number): string => `${value.toFixed(0)} ms`;
    recordFigure({
      what: 'scene of 20 lamps, 20 messages: all confirmed',
      hub: ms(found.scene),
      reference: `20 sets over MQTT, all published ${ms(found.bareSingles)}`,
      ratio: found.scene / found.bareSingles,
    });
    recordFigure({
      what: '20 single commands: all confirmed',
      hub: ms(found.singles),
      reference: `20 sets over MQTT, all published ${ms(found.bareSingles)}`,
      ratio: found.singles / found.bareSingles,
    });
    recordFigure({
      what: 'scene of 20 lamps, one message to the group of Zigbee2MQTT: all confirmed by the lamps',
      hub: ms(found.group),
      reference: `set of the group over MQTT, all published without evidence ${ms(found.bareGroup)}`,
      ratio: found.group / found.bareGroup,
    });
  } finally {
    await house.stop();
  }
});
