import { connectAsync } from 'mqtt';
import { test } from 'vitest';
import { deviceName, startBenchHub } from './support/bench-hub.ts';
import { interleave, percentile, recordFigure } from './support/figure.ts';

const COMMANDS = 50;
/** A caller has ten commands a second. */
const PACE_MS = 110;

test('a command is confirmed little later than its echo at the broker', async () => {
  const { hub, token, client, mosquitto, stop } = await startBenchHub(10);
  // The device: it reports each value that it is set to.
  const echo = /^(zigbee2mqtt\/.+)\/set$/;
  await client.subscribeAsync('zigbee2mqtt/+/set');
  client.on('message', (topic, payload) => {
    const state = echo.exec(topic)?.[1];
    if (state !== undefined) client.publish(state, payload);
  });
  const bare = await connectAsync(mosquitto.url);
  await bare.subscribeAsync(`zigbee2mqtt/${deviceName(1)}`);
  let isOn = false;
  const p50Of = async (run: () => Promise<void>): Promise<number> => {
    const taken: number[] = [];
    for (let index = 0; index < COMMANDS; index += 1) {
      isOn = !isOn;
      const startMs = performance.now();
      await run();
      taken.push(performance.now() - startMs);
      await new Promise((resolve) => void setTimeout(resolve, PACE_MS));
    }
    return percentile(taken, 0.5);
  };
  try {
    const p50 = await interleave({
      hub: () =>
        p50Of(async () => {
          const ask = { token, body: { set: { on: isOn } } };
          const { status, json } = await hub.ask('POST', '/api/v1/device/lamp-0/command', ask);
          const outcome = (json as { status: string }).status;
          if (status !== 200 || outcome !== 'confirmed') throw new Error(`answered ${status} ${outcome}`);
        }),
      bare: () =>
        p50Of(async () => {
          const echoed = new Promise((resolve) => void bare.once('message', resolve));
          bare.publish(`zigbee2mqtt/${deviceName(1)}/set`, JSON.stringify({ state: isOn ? 'ON' : 'OFF' }));
          await echoed;
        }),
    });
    recordFigure({
      what: 'command, confirmed by the device: p50',
      hub: `${p50.hub.toFixed(2)} ms`,
      reference: `bare MQTT round trip ${p50.bare.toFixed(2)} ms`,
      ratio: p50.hub / p50.bare,
    });
  } finally {
    await bare.endAsync();
    await stop();
  }
});
