// A machine of the LAN that says what its path asks for: a page, a redirect to argv[2], events or a WebSocket.
// Over HTTPS it redirects every request. It announces the packets of mDNS that argv[3] has as JSON, in base64.
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { WebSocketServer } from 'ws';

const elsewhere = process.argv[2] ?? '';
const server = createServer((request, response) => {
  if (request.url === '/redirect') response.writeHead(307, { Location: `http://${elsewhere}/` }).end('elsewhere');
  else if (request.url === '/events') response.setHeader('Content-Type', 'text/event-stream').end('data: here\n\n');
  else response.end('here');
});
const websockets = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  if (request.url === '/redirect') socket.end(`HTTP/1.1 302 Found\r\nLocation: ws://${elsewhere}/\r\n\r\n`);
  else websockets.handleUpgrade(request, socket, head, (websocket) => websocket.send('here'));
});
const certificate = (kind) =>
  readFileSync(new URL(`../../fixtures/certificates/stranger.${kind}.pem`, import.meta.url));
createTlsServer({ key: certificate('key'), cert: certificate('cert') }, (_request, response) => {
  response.writeHead(307, { Location: `http://${elsewhere}/` }).end();
}).listen(443, '::');
const packets = JSON.parse(process.argv[3] ?? '[]').map((packet) => Buffer.from(packet, 'base64'));
const multicast = createSocket({ type: 'udp4', reuseAddr: true });
multicast.bind(5353, () => {
  if (packets.length === 0) return;
  multicast.setMulticastInterface('192.168.50.77');
  setInterval(() => packets.forEach((packet) => multicast.send(packet, 5353, '224.0.0.251')), 500);
});
server.listen(80, '::', () => process.stdout.write('listening\n'));
