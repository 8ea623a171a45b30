import type { ServerOptions } from 'ws';
import type { AcceptWebSocket } from '#base/network/lan-ports.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { CLOSE_MS, followWebSocket } from './web-socket.ts';

/** Takes WebSockets that machines of the LAN open to the hub, with the ws package. */
export function createWebSocketAcceptor(startTimer: StartTimer): AcceptWebSocket {
  return async ({ incoming, socket, head }, { maxBytes, onMessage, signal }) => {
    socket.on('error', () => socket.destroy());
    // With its first use, so that a hub without WebSockets need not load it.
    const { WebSocketServer } = await import('ws');
    const options: ServerOptions & { readonly closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: maxBytes,
      // A turn of the event loop for each message, as with those that the hub opens.
      allowSynchronousEvents: false,
      closeTimeout: CLOSE_MS,
    };
    return new Promise((resolve) => {
      const refused = (): void => resolve(undefined);
      socket.once('close', refused);
      new WebSocketServer(options).handleUpgrade(incoming, socket, head, (websocket) => {
        websocket.on('message', (data: Buffer, isBinary) => {
          if (!signal.aborted) onMessage(isBinary ? data : data.toString('utf8'));
        });
        resolve({ fingerprint: null, ...followWebSocket(websocket, socket, { startTimer, signals: [signal] })() });
      });
    });
  };
}
