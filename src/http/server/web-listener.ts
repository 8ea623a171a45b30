import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import { HubError } from '#base/hub-error.ts';
import type { App } from '#http/app.ts';

/** Takes a request of the server as a web request to the app; the answer is sent when it resolves. */
export type WebListener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export function createWebListener(app: Pick<App, 'fetch' | 'problem'>): WebListener {
  return getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    overrideGlobalObjects: false,
    errorHandler: (cause) => {
      const { status, headers, body } = app.problem(
        new HubError('MALFORMED_REQUEST', 'The host is unreadable.', { cause }),
      );
      return new Response(body, { status, headers });
    },
  });
}
