// Events as a server without coalescing sends them: one write per message and client.
import { createServer } from 'node:http';
import { connectAsync } from 'mqtt';

/** @param {{ url: string }} options */
async function serve({ url }) {
  /** @type {Set<import('node:http').ServerResponse>} */
  const clients = new Set();
  let sequence = 0;
  const client = await connectAsync(url);
  client.on('message', (topic, payload) => {
    const { power } = JSON.parse(payload.toString());
    sequence += 1;
    const time = new Date().toISOString();
    const state = { value: power, quality: 'confirmed', observed_at: time, changed_at: time };
    const data = { cursor: `abcdefabcd-${sequence}`, time, device: topic, selector: topic, key: 'power', ...state };
    const frame = `id: abcdefabcd-${sequence}\nevent: feature.changed\ndata: ${JSON.stringify(data)}\n\n`;
    for (const response of clients) response.write(frame);
  });
  await client.subscribeAsync('zigbee2mqtt/+');
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    clients.add(response);
    request.on('close', () => clients.delete(response));
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
}

process.once('message', (/** @type {{ url: string }} */ options) => void serve(options));
