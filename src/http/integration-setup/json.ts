import * as z from 'zod/mini';
import type { Setup, SetupStep } from '#core/integration/setup-step.ts';
import { fieldErrorSchema } from '#http/answer/problem.ts';
import { reasonSchema } from '#http/answer/reason-json.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { settingFieldsJson, settingFieldsSchema } from '#http/integration-kind/json.ts';
import { described, limited, named, oneOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

/** One object for all types of steps, so that a later type breaks no generated client. */
const setupStepSchema = named(
  'IntegrationSetupStep',
  described(
    'What the person sees and does now. `form`: fill in `fields`, which begin with `values`; `errors` are those of the last answer, with pointers into it. `choose`: one of `options`. `act`: do what `text` says, elsewhere; the set-up goes on by itself. `busy`: wait. `show`: read or copy `code`, then go on.',
    z.object({
      type: described(
        'What to show: a `form`, a choice, something to do, `busy` to wait, or something to read.',
        z.enum(['form', 'choose', 'act', 'busy', 'show']),
      ),
      text: described('What to read, in English.', z.optional(z.string())),
      reason: described('Names the texts of the step among the words of its kind.', z.optional(reasonSchema)),
      fields: described('What a `form` asks for, by name.', z.optional(settingFieldsSchema)),
      values: described('Never a secret.', z.optional(z.record(z.string(), z.unknown()))),
      errors: described('What is wrong with the last answer.', z.optional(z.array(fieldErrorSchema))),
      options: described(
        'What can be chosen.',
        z.optional(
          z.array(
            z.object({
              id: z.string(),
              title: described('What the choice is called.', z.string()),
              detail: described('More about it, such as its address.', z.string()),
            }),
          ),
        ),
      ),
      until: described('When the set-up stops waiting, by the clock of the hub.', z.optional(timeSchema)),
      remaining_s: described('The same as seconds from this answer or event on.', z.optional(z.int())),
      code: z.optional(z.string()),
    }),
  ),
);

const setupErrorSchema = named(
  'IntegrationSetupError',
  z.object({
    code: described('In snake_case. `connection_failed` for all failures of a connection.', z.string()),
    message: z.string(),
    reason: described(
      'Why the connection failed, in a word such as `refused`, `timeout` or `certificate_refused`, which `message` says too. Only owners see it, and only where they ask. What else the message says is named by `code`, among the words of the kind.',
      z.nullable(z.string()),
    ),
  }),
);

export const integrationSetupSchema = named(
  'IntegrationSetup',
  z.object({
    id: z.uuid(),
    kind: described('The id of the kind that is set up.', z.string()),
    status: described('`running`: it goes on; else it is over.', z.enum(['running', 'done', 'failed'])),
    step: described(
      '`null` while the set-up works without showing anything, and after its end.',
      z.nullable(setupStepSchema),
    ),
    integration: described('What it led to, once it is `done`.', z.nullable(z.object({ id: z.string() }))),
    renewed: described(
      'The integration was there before: it has the new address and secrets, and its devices stay.',
      z.boolean(),
    ),
    error: z.nullable(setupErrorSchema),
  }),
);

export const setupCreateSchema = named(
  'IntegrationSetupCreate',
  limited(
    oneOf('kind', 'found'),
    z.strictObject({
      kind: described('The id of a kind.', z.optional(z.string().check(z.minLength(1), z.maxLength(64)))),
      found: described('The id of something found, instead of a kind.', z.optional(z.uuid())),
    }),
  ),
);

export const setupAnswerSchema = named(
  'IntegrationSetupAnswer',
  z.strictObject({
    answer: described(
      'To a `form` a value for each field, to `choose` `{"option": id}`, to `show` `{}`.',
      z.record(z.string(), z.unknown()),
    ),
  }),
);

type Viewer = { readonly wallMs: () => number; readonly isOwner: boolean };

export function integrationSetupJson(
  { id, kind, status, step, instance, isRenewal, error }: Setup,
  { wallMs, isOwner }: Viewer,
): z.infer<typeof integrationSetupSchema> {
  return {
    id,
    kind,
    status,
    step: step && setupStepJson(step, wallMs()),
    integration: instance === null ? null : { id: instance },
    renewed: isRenewal,
    error: error && errorJson(error, isOwner),
  };
}

/** Why a connection failed shows what listens where in the home: the set-up would be a port scanner for every admin. */
function errorJson({ code, message, fault }: NonNullable<Setup['error']>, isOwner: boolean) {
  if (fault === null || !isOwner) return { code, message, reason: null };
  return { code, message: `${message} ${fault.message}`, reason: fault.reason };
}

function setupStepJson(step: SetupStep, nowMs: number): z.infer<typeof setupStepSchema> {
  const { type, reason } = step;
  const own = { type, ...(reason && { reason }) };
  if (type === 'form') {
    return { ...own, fields: settingFieldsJson(step.fields), values: { ...step.values }, errors: [...step.errors] };
  }
  if (type === 'choose') return { ...own, text: step.text, options: [...step.options] };
  if (type === 'show') return { ...own, text: step.text, code: step.code };
  if (type === 'busy') return { ...own, text: step.text };
  const remainingMs = Math.max(0, step.untilMs - nowMs);
  return { ...own, text: step.text, until: timeJson(step.untilMs), remaining_s: Math.ceil(remainingMs / 1_000) };
}

declareEvents(140, 'hub:manage', {
  'integration_setup.changed': {
    about: 'Only for callers with the right `hub:manage`.',
    shape: { setup: integrationSetupSchema },
    json: ({ setup }, { wallMs }) => ({ setup: integrationSetupJson(setup, { wallMs, isOwner: false }) }),
  },
});
