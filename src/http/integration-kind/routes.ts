import { z } from 'zod/mini';
import type { Note } from '#http/note/note.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { integrationKindJson, integrationKindSchema, type ListedKind } from './json.ts';

const hueExample = {
  id: 'hue',
  name: 'Philips Hue',
  about: 'Lights and sensors of a Hue bridge.',
  instances: 'many',
  discovered: true,
  can_set_up: true,
  pairing_hint: 'Switch a new lamp on. The bridge searches for about a minute.',
  removal_hint: null,
  help: [],
  settings: {
    host: {
      type: 'host',
      label: 'Address of the bridge',
      hint: null,
      advanced: false,
      optional: false,
      default: null,
      default_port: 443,
    },
    key: {
      type: 'secret',
      label: 'Key',
      hint: 'The bridge gives it during the set-up.',
      advanced: false,
      optional: false,
      default: null,
      bound_to: 'host',
    },
  },
} satisfies z.infer<typeof integrationKindSchema>;

const listIntegrationKinds: Note = () => ({
  description:
    'What this version of the hub can speak to. `settings` describes the form of each kind; its labels are English.',
  answerExample: [hueExample],
});

/** The kinds of integrations that the program knows. */
export function integrationKindRoutes({
  integrationKinds,
}: {
  readonly integrationKinds: () => readonly ListedKind[];
}): readonly Route[] {
  return [
    defineRoute({
      id: 'listIntegrationKinds',
      method: 'GET',
      path: '/api/v1/integration_kind',
      summary: 'List the kinds of integrations that can be set up',
      tag: 'Integration',
      note: listIntegrationKinds,
      access: 'hub:manage',
      answers: { 200: z.array(integrationKindSchema) },
      handle: () => ({ status: 200, json: integrationKinds().map(integrationKindJson) }),
    }),
  ];
}
