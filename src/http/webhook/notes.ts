import { deliveryBodySchema } from '#http/event/page-schema.ts';
import type { CallbackNote, Note } from '#http/reference/note.ts';

const deliveryHeaders = (): Readonly<Record<string, { readonly description: string; readonly example: string }>> => ({
  'Hearthd-Webhook': {
    description: 'Id of the webhook.',
    example: '0198f1c2-7d6e-7000-8000-000000000050',
  },
  'Hearthd-Delivery': {
    description: 'Id of the delivery, the same for each try of it: what was taken already can be told by it.',
    example: '0198f1c2-7d6e-7000-8000-000000000051',
  },
  'Hearthd-Signature': {
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the whole text of the secret as its key. Compare it in constant time, and refuse a `t` that is minutes old.',
    example: 't=1795234000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
});

/** What the hub itself sends to the `url` that `POST /api/v1/webhook` was given. */
const deliveryCallback: CallbackNote = (schemaOf) => ({
  delivery: {
    '{$request.body#/url}': {
      post: {
        operationId: 'deliverEvents',
        tags: ['Delivery'],
        summary: 'The hub tells a receiver what happened',
        description:
          'In order, one delivery at a time. What is not taken within 10 s is sent again, later and later up to every five minutes. The first event is `hub.gap` where some are lost, as after a restart of the hub: list the devices then. Redirects are not followed.',
        security: [],
        parameters: Object.entries(deliveryHeaders()).map(([name, { description, example }]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
          example,
        })),
        requestBody: { required: true, content: { 'application/json': { schema: schemaOf(deliveryBodySchema) } } },
        responses: {
          '2XX': { description: 'Taken: the next delivery may come.' },
          '4XX': { description: 'Not taken: it is sent again.' },
          default: { description: 'Not taken: it is sent again.' },
        },
      },
    },
  },
});

export const createWebhook: Note = () => ({
  callbacks: deliveryCallback,
  description: [
    'The hub sends `POST` with the body of the long poll, signed with the secret of the webhook: `Hearthd-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. Any 2xx takes it; anything else is tried again, in order, under the same `Hearthd-Delivery`. The answer alone has the secret.',
    'A URL of the hub’s own machine (loopback or one of its addresses) is for an owner to set: 422 from anybody else, and a name that stands for it at a delivery is refused then (`address_refused`). Why a connection failed an owner alone is told; for others it is `connection_failed`.',
  ].join('\n\n'),
  answerHeaders: { 201: ['Location'] },
  bodyExample: { url: 'http://192.168.1.20:8080/hearthd', types: ['feature.changed'] },
  problems: ['LIMIT_REACHED'],
});
