// Clients that follow the reports, as events of a server or from the broker itself, and how late each report reached them.
import { get } from 'node:http';
import { connectAsync } from 'mqtt';

// The machine's own monotonic clock: the same in all processes, unlike what `performance` makes of it.
const nowMs = () => Number(process.hrtime.bigint()) / 1e6;
const FRAME_END = Buffer.from('\n\n');
const CHANGE = 'event: feature.changed\n';
/** @type {number[]} */
let lags = [];
let received = 0;
let measuresLag = true;

/** @param {string} text */
function note(text) {
  received += 1;
  if (measuresLag) lags.push(nowMs() - Number(/"(?:value|power)":([\d.]+)/.exec(text)?.[1]));
}

/** @param {{ port: number, path: string, tokens: string[], clients: number }} options */
async function followEvents({ port, path, tokens, clients }) {
  await Promise.all(
    Array.from({ length: clients }, (_, index) => {
      const group = Math.floor(index / 15);
      return new Promise((resolve, reject) => {
        const headers = { Accept: 'text/event-stream', Authorization: `Bearer ${tokens[group]}` };
        const localAddress = `127.0.0.${2 + group}`;
        const request = get({ host: '127.0.0.1', port, path, agent: false, localAddress, headers });
        request.on('error', reject);
        request.on('response', (response) => {
          if (response.statusCode !== 200) {
            reject(new Error(`answered ${response.statusCode}`));
            return;
          }
          let rest = Buffer.alloc(0);
          response.on('data', (chunk) => {
            rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
            for (let end = rest.indexOf(FRAME_END); end !== -1; end = rest.indexOf(FRAME_END)) {
              const frame = rest.toString('utf8', 0, end);
              if (frame.includes(CHANGE)) note(frame);
              rest = rest.subarray(end + 2);
            }
          });
          resolve(undefined);
        });
      });
    }),
  );
  return 'following';
}

/** @param {{ url: string, clients: number }} options */
async function followBroker({ url, clients }) {
  for (let index = 0; index < clients; index += 1) {
    const client = await connectAsync(url);
    client.on('message', (_topic, payload) => note(payload.toString()));
    await client.subscribeAsync('zigbee2mqtt/+');
  }
  return 'following';
}

/** @type {Record<string, (message: any) => unknown>} */
const answers = {
  followEvents,
  followBroker,
  count: () => received,
  lags: () => lags,
  forget: (message) => {
    measuresLag = message.measuresLag;
    lags = [];
    received = 0;
    return 'forgotten';
  },
};

process.on('message', (/** @type {any} */ message) => {
  void Promise.resolve(answers[message.do]?.(message)).then((value) => process.send?.(value));
});
