// Loaded into the daemon to break it: keeps every event stream that ever was, with the queue of a slow client.
import { subscribe } from 'node:diagnostics_channel';

/** @type {Set<unknown>} */
const kept = new Set();
subscribe('http.server.request.start', (message) => {
  const { request, response } = /** @type {{ request: import('node:http').IncomingMessage, response: unknown }} */ (
    message
  );
  if (request.url?.startsWith('/api/v1/event') !== true) return;
  kept.add({ response, queue: Array.from({ length: 4_096 }, () => ({})) });
});
