// Uses devices of a hub as a Web of Things consumer does, from their Thing Descriptions alone, and prints as JSON what
// came of it. Usage: consume.mjs BASE_URL TOKEN LAMP REMOTE
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { Servient } = require('@node-wot/core');
const { HttpClientFactory } = require('@node-wot/binding-http');

const [base = '', token = '', lamp = '', remote = ''] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const get = async (path) => (await fetch(`${base}/api/v1${path}`, { headers })).json();

const servient = new Servient();
servient.addClientFactory(new HttpClientFactory(null));
const wot = await servient.start();
const things = new Map();
const read = {};
for (const { selector } of await get('/device')) {
  const description = await get(`/device/${selector}/td`);
  servient.addCredentials({ [description.id]: { token } });
  const thing = await wot.consume(description);
  things.set(selector, thing);
  read[selector] = {};
  for (const key of Object.keys(description.properties)) {
    read[selector][key] = await (await thing.readProperty(key)).value();
  }
}

const thing = things.get(lamp);
const seen = [];
let isSeen = () => undefined;
const observation = await thing.observeProperty('brightness', async (output) => {
  seen.push(await output.value());
  isSeen();
});
const observed = async (value) => {
  while (seen.at(-1) !== value) await new Promise((resolve) => (isSeen = resolve));
};
await thing.writeProperty('on', true);
await thing.writeProperty('brightness', 17);
await observed(17);
const written = await (await thing.readProperty('brightness')).value();
const output = await (await thing.invokeAction('set', { set: { brightness: 71 } })).value();
await observed(71);
await observation.stop();
const subscription = await things.get(remote).subscribeEvent('button', () => undefined);
await subscription.stop();
process.stdout.write(JSON.stringify({ read, written, seen, output }));
process.exit(0);
