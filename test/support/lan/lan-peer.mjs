// A machine of the LAN that says what its path asks for: a page, a redirect to argv[2], events or a WebSocket.
import { createServer } from 'node:http';
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
server.listen(80, '::', () => process.stdout.write('listening\n'));
