import { eventPageSchemas } from '#http/event/page.ts';
import { type CallbackNote, type Note, TAG_HEADERS } from '#http/note/note.ts';

const deliveryHeaders = (): Readonly<Record<string, { readonly description: string; readonly example: string }>> => ({
  'Hearthd-Webhook': {
    description: 'Id of the webhook.',
    example: '0198f1c2-7d6e-7000-8000-000000000050',
  },
  'Hearthd-Delivery': {
    description:
      'Id of the delivery, the same for each attempt: a receiver can skip a delivery that it has taken before.',
    example: '0198f1c2-7d6e-7000-8000-000000000051',
  },
  'Hearthd-Signature': {
    description:
      '`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>` with the whole text of the secret as the key. Compare it in constant time, and refuse a `t` that is minutes old.',
    example: 't=1795234000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
  },
});

/** The hub sends this to the `url` of `POST /api/v1/webhook`. */
const deliveryCallback: CallbackNote = (schemaOf) => ({
  delivery: {
    '{$request.body#/url}': {
      post: {
        operationId: 'deliverEvents',
        tags: ['Delivery'],
        summary: 'The hub sends events to a receiver',
        description:
          'The hub sends one delivery at a time, in order. If the receiver does not take it within 10 s, the hub sends it again, with pauses that grow to five minutes. If events are lost, for example by a restart of the hub, the first event is `hub.gap`: list the devices then. The hub follows no redirects.',
        security: [],
        parameters: Object.entries(deliveryHeaders()).map(([name, { description, example }]) => ({
          name,
          in: 'header',
          required: true,
          description,
          schema: { type: 'string' },
          example,
        })),
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaOf(eventPageSchemas().delivery) } },
        },
        responses: {
          '2XX': { description: 'Taken. The hub sends the next delivery.' },
          '4XX': { description: 'Not taken. The hub sends it again.' },
          default: { description: 'Not taken. The hub sends it again.' },
        },
      },
    },
  },
});

export const createWebhook: Note = () => ({
  ...TAG_HEADERS.made,
  callbacks: deliveryCallback,
  description: [
    'The hub sends `POST` with the body of the long poll, signed with the secret of the webhook: `Hearthd-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. Any 2xx takes the delivery. After any other answer the hub sends it again, in order, under the same `Hearthd-Delivery`. Only this answer shows the secret.',
    'Only an owner can set a URL that leads to the machine of the hub (loopback or one of its addresses): for other callers the answer is 422. If a host name leads there at the time of a delivery, the hub refuses that delivery (`address_refused`). Only an owner sees why a connection failed; others see `connection_failed`.',
  ].join('\n\n'),

  bodyExample: { url: 'http://192.168.1.20:8080/hearthd', types: ['feature.changed'] },
  problems: ['LIMIT_REACHED'],
});

export const updateWebhook: Note = () => ({ ...TAG_HEADERS.change, bodyExample: { name: 'Node-RED', enabled: false } });

export const removeWebhook: Note = () => TAG_HEADERS.remove;

export const getWebhook: Note = () => TAG_HEADERS.read;
