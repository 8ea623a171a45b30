// Reports of the devices at a steady rate, each with the time at which it was sent as its value.
import { connectAsync } from 'mqtt';

// The machine's own monotonic clock: the same in all processes, unlike what `performance` makes of it.
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
/** @type {import('mqtt').MqttClient} */
let client;
let published = 0;
/** @type {NodeJS.Timeout | undefined} */
let timer;

/** @param {number} devices */
const publishNext = (devices) => {
  client.publish(`zigbee2mqtt/Lamp ${published % devices}`, `{"power":${nowMs().toFixed(3)}}`);
  published += 1;
};

const answers = {
  /** @param {{ url: string }} options */
  connect: async ({ url }) => {
    client = await connectAsync(url);
    return 'connected';
  },
  /** @param {{ perSecond: number, devices: number }} options */
  start: async ({ perSecond, devices }) => {
    const startMs = performance.now();
    const before = published;
    timer = setInterval(() => {
      const due = before + Math.floor(((performance.now() - startMs) / 1000) * perSecond);
      for (let missing = due - published; missing > 0; missing -= 1) publishNext(devices);
    }, 4);
    return 'started';
  },
  /** @param {{ count: number, devices: number }} options */
  burst: async ({ count, devices }) => {
    for (let sent = 0; sent < count; sent += 1) publishNext(devices);
    return published;
  },
  pause: async () => {
    clearInterval(timer);
    return published;
  },
};

process.on('message', (/** @type {any} */ message) => {
  const answer = /** @type {(options: any) => Promise<unknown>} */ (
    answers[/** @type {keyof typeof answers} */ (message.do)]
  );
  void answer(message).then((value) => process.send?.(value));
});
