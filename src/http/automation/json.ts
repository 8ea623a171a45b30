import { reasonSchema } from '#http/answer/reason-json.ts';
import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import { WARNING_CODES } from '#core/automation/check/directory.ts';
import { DAYS, MOVERS, SUN_EVENTS } from '#core/automation/document/condition.ts';
import { DEFINITION_SHAPE } from '#core/automation/document/shapes.ts';
import { AUTOMATION_LIMITS } from '#core/automation/registry/automation-record.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { timeSchema } from '#http/answer/time-json.ts';
import { failureSchema, roomReferenceSchema, userReferenceSchema } from '#http/answer/reference.ts';
import { described, limited, named, wordOf } from '#http/note/described.ts';
import { takingShown } from '#http/routing/shown-too.ts';

const AUTOMATION_STATES = ['ready', 'disabled', 'broken', 'suspended', 'tripped'] as const;

// Lists that several parts of the language have.
wordOf('DayOfWeek', DAYS);
wordOf('Mover', MOVERS);
wordOf('SunMoment', SUN_EVENTS);
wordOf('StepWait', ['none', 'sent', 'finished']);

/** One of the schemas of the language, which the document takes from `core`. The hub reads all of it by its own table. */
const languageSchema = (name: string) => limited({ $ref: `#/components/schemas/${name}` }, z.unknown());
const valuesSchema = limited(
  { additionalProperties: { $ref: '#/components/schemas/Operand' } },
  z.record(z.string(), z.unknown()),
);
const partSchema = named(
  'AutomationPart',
  described(
    'A `Trigger`, `Condition` or `Step`. What it names is an object with `id`, `selector` and `name`; with a later hub it may have words and members that these schemas do not have.',
    z.record(z.string(), z.unknown()),
  ),
);
const definitionFields = wordedByCore({
  mode: z.optional(languageSchema('RunMode')),
  yield_to_hand_s: z.optional(z.number()),
  release_on_mode: z.optional(z.boolean()),
  durable: z.optional(z.enum(['auto', 'always'])),
  on_broken: z.optional(z.enum(['stop', 'run_rest'])),
  limits: z.optional(z.enum(['usual', 'high'])),
  allow_sensitive: z.optional(z.array(languageSchema('Reference'))),
  variables: z.optional(valuesSchema),
  triggers: z.optional(z.array(languageSchema('Trigger'))),
  conditions: z.optional(z.array(languageSchema('Condition'))),
  steps: z.optional(z.array(languageSchema('Step'))),
});

/** The same fields with what `core` says of them. */
function wordedByCore<Fields extends Readonly<Record<string, z.core.$ZodType>>>(fields: Fields): Fields {
  const words = Object.entries(fields).map(([name, schema]) => [
    name,
    described(DEFINITION_SHAPE.members[name]?.about ?? '', schema),
  ]);
  return Object.fromEntries(words) as Fields;
}

const detailFields = {
  description: described(
    'What it is for, in your words; by default empty.',
    z.optional(z.string().check(z.maxLength(AUTOMATION_LIMITS.description))),
  ),
  room: described('The room that it is for; `null`: none.', z.optional(languageSchema('Reference'))),
  labels: described(
    'Words of your own by which lists of automations are filtered; by default none.',
    z.optional(
      z
        .array(z.string().check(z.minLength(1), z.maxLength(AUTOMATION_LIMITS.label)))
        .check(z.maxLength(AUTOMATION_LIMITS.labels)),
    ),
  ),
  enabled: described(
    '`false`: it does nothing until somebody enables it; by default it is enabled.',
    z.optional(z.boolean()),
  ),
  note: described(
    'What changed, for the list of versions.',
    z.optional(z.string().check(z.maxLength(AUTOMATION_LIMITS.note))),
  ),
};
export const automationCreateSchema = named(
  'AutomationCreate',
  z.strictObject({ name: nameSchema, ...detailFields, ...definitionFields }),
);
export const automationReferenceSchema = named(
  'AutomationReference',
  z.object({ id: z.uuid(), selector: z.string(), name: z.string() }),
);

const signatureSchema = named(
  'AutomationSignature',
  z.object({
    user: userReferenceSchema,
    via: named(
      'AutomationSignedVia',
      z.object({ type: described('A login or an API token.', z.enum(['session', 'api_token'])), id: z.string() }),
    ),
    signed_at: described('When they did it.', timeSchema),
  }),
);

/** An automation without what it does, as lists and events have it. */
export const automationSummarySchema = named(
  'AutomationSummary',
  z.object({
    id: z.uuid(),
    selector: described('Stable, readable and unique. Every call takes it in place of the id.', z.string()),
    name: z.string(),
    description: z.string(),
    room: z.nullable(roomReferenceSchema),
    labels: described('Words of people by which lists are filtered.', z.array(z.string())),
    enabled: z.boolean(),
    state: described(
      '`broken`: something that it names is gone. `suspended`: its signer lacks a right, or is gone. `tripped`: it was stopped for a while, because it started too often.',
      wordOf('AutomationState', AUTOMATION_STATES),
    ),
    state_reason: described(
      'Why it does not run. With `ready` and the code `NO_FIT`: what these parts name is of another kind now, as a device that was replaced, and saving would refuse them; the rest goes on.',
      z.nullable(named('AutomationStateReason', z.object({ ...failureSchema.shape, pointers: z.array(z.string()) }))),
    ),
    acts_as: described(
      'Who changed last what it does: it has the rights that this person has at each moment, and those of the API token with which it was done.',
      signatureSchema,
    ),
    version: described('Counts changes of what it does.', z.int()),
    revision: described('Counts all changes.', z.int()),
    created_at: timeSchema,
    updated_at: timeSchema,
    deleted_at: described('Of one in the trash, which is kept for 30 days.', z.nullable(timeSchema)),
  }),
);

export const shownDefinition = wordedByCore({
  mode: named(
    'AutomationMode',
    z.object({
      kind: described(
        'A start while a run is under way does nothing (`single`), takes its place, waits for it, or runs beside it.',
        z.string(),
      ),
      max: described('How many starts may wait or run at once.', z.int()),
    }),
  ),
  yield_to_hand_s: z.number(),
  release_on_mode: z.boolean(),
  durable: z.string(),
  on_broken: z.string(),
  limits: z.string(),
  allow_sensitive: z.array(automationReferenceSchema),
  variables: z.record(z.string(), z.unknown()),
  triggers: z.array(partSchema),
  conditions: z.array(partSchema),
  steps: z.array(partSchema),
});
/** Events do not have these fields of what an automation did and will do. */
const courseFields = {
  last_run: described(
    'The last start that did something.',
    z.nullable(
      named(
        'AutomationLastRun',
        z.object({ id: z.string(), at: timeSchema, outcome: wordOf('RunOutcome', RUN_OUTCOMES) }),
      ),
    ),
  ),
  next_at: described(
    'Its next time of the clock; `null` without one, and while the clock is not set.',
    z.nullable(timeSchema),
  ),
  next_hidden: described(
    'It waits for the sun, and the caller may not see where the home is: `next_at` is left out.',
    z.optional(z.boolean()),
  ),
  running: described('Runs under way.', z.int()),
  counts: described(
    'Starts, and those that came to nothing.',
    named(
      'AutomationCounts',
      z.object({
        today: described(
          'Since midnight.',
          z.object({
            runs: described('Starts that did something.', z.int()),
            not_met: described('Starts whose conditions were not met.', z.int()),
            skipped: described('Starts that came at a bad moment, such as while a run was under way.', z.int()),
            failed: described('Runs that failed.', z.int()),
          }),
        ),
      }),
    ),
  ),
};
export const automationListedSchema = named(
  'AutomationListed',
  z.object({ ...automationSummarySchema.shape, ...courseFields }),
);
export const automationSchema = named(
  'Automation',
  described(
    'Triggers that start it, conditions that must be met, and steps. What it names is shown as an object with `id`, `selector` and `name`, and may be sent back so.',
    z.object({
      ...automationSummarySchema.shape,
      ...courseFields,
      ...shownDefinition,
      template: described(
        'The template of which it was made; `null`: of none.',
        z.nullable(
          named(
            'AutomationOrigin',
            z.object({
              id: z.string(),
              version: z.int(),
              inputs: described(
                'What was chosen for the inputs of the template, by name.',
                z.record(z.string(), z.unknown()),
              ),
            }),
          ),
        ),
      ),
      created_by: described('Who made it.', userReferenceSchema),
      hooks: described(
        'Its hooks and the secrets with which programs without an account call them; absent for callers who may not change it.',
        z.optional(
          z.array(
            named(
              'AutomationHook',
              z.object({
                trigger: described('Id of the trigger.', z.string()),
                secret: described(
                  '`lapsed`: the person who made it may no longer change the automation, so it opens nothing.',
                  z.enum(['none', 'valid', 'lapsed']),
                ),
                made_by: described('Who made the secret; `null`: there is none.', z.nullable(userReferenceSchema)),
                made_at: described('When the secret was made; `null`: there is none.', z.nullable(timeSchema)),
              }),
            ),
          ),
        ),
      ),
      sensitive: described('It may open, flood or guard the home.', z.boolean()),
      devices_used: described(
        'Also those that rooms and selections choose at the moment.',
        z.array(automationReferenceSchema),
      ),
    }),
  ),
);
export const automationUpdateSchema = named(
  'AutomationUpdate',
  takingShown(z.strictObject({ name: z.optional(nameSchema), ...detailFields, ...definitionFields }), automationSchema),
);
export type AutomationBody = z.infer<typeof automationUpdateSchema>;
export const DEFINITION_FIELDS: readonly string[] = Object.keys(definitionFields);

export const warningSchema = named(
  'AutomationWarning',
  z.object({ pointer: z.string(), code: z.enum(WARNING_CODES), message: z.string(), reason: reasonSchema }),
);
const changedHandsSchema = described(
  'What acts for another person from now on; absent where the signer stays the same.',
  z.optional(
    named(
      'AutomationChangedHands',
      z.object({
        from: described('The person whose rights it had before.', userReferenceSchema),
        requests: described(
          'They stay those of the people who wrote them: only what owners wrote may reach the hub itself.',
          z.array(
            z.object({
              pointer: z.string(),
              method: described('`GET` or `POST`.', z.string()),
              url: described('The address that is called.', z.string()),
            }),
          ),
        ),
        rights: described('That its steps use.', z.array(z.string())),
        sensitive: described('The sensitive devices that it may move.', z.array(automationReferenceSchema)),
      }),
    ),
  ),
);
export const automationSavedSchema = named(
  'AutomationSaved',
  z.object({
    ...automationSchema.shape,
    warnings: described('What is saved all the same.', z.array(warningSchema)),
    changed_hands: changedHandsSchema,
  }),
);
export const automationSignedSchema = named(
  'AutomationSigned',
  z.object({ ...automationSchema.shape, changed_hands: changedHandsSchema }),
);
