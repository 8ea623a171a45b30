// The least that an automation can be: it publishes something for each message that it hears.
import { connectAsync } from 'mqtt';

/** @param {{ url: string, hear: string, say: string, text: string }} options */
async function reflect({ url, hear, say, text }) {
  const client = await connectAsync(url);
  client.on('message', () => client.publish(say, text));
  await client.subscribeAsync(hear);
  return 'listening';
}

process.once('message', (/** @type {any} */ options) => {
  void reflect(options).then((value) => process.send?.(value));
});
