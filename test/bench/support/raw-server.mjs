// What node:http alone needs: the same bytes to every request, with nothing around them.
import { createServer } from 'node:http';

process.once('message', (/** @type {{ text: string }} */ { text }) => {
  const bytes = Buffer.from(text);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
});
