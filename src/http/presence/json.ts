import * as z from 'zod/mini';
import type { User } from '#core/person/user.ts';
import { MAX_AWAY_AFTER_S, MAX_SOURCES, type Presence, PRESENCE_STATES } from '#core/presence/presence.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { userReferenceSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

const sourceSchema = named(
  'PresenceSource',
  z.strictObject({
    device: described('Id or selector; shown as the id.', z.string().check(z.minLength(1), z.maxLength(200))),
    key: described('Key of the feature, such as `presence`.', z.string().check(z.minLength(1), z.maxLength(200))),
  }),
);
const awayAfterSchema = described(
  'Seconds without contradiction after which somebody counts as away.',
  z.int().check(z.gte(0), z.lte(MAX_AWAY_AFTER_S)),
);

export const presenceTellSchema = named(
  'PresenceTell',
  z.strictObject({ state: described('Where you are now.', z.enum(['home', 'away'])) }),
);
export const presenceUpdateSchema = named(
  'PresenceUpdate',
  z.strictObject({
    away_after_s: z.optional(awayAfterSchema),
    sources: described(
      'Features with the capability `presence` or `motion` that belong to this person alone.',
      z.optional(z.array(sourceSchema).check(z.maxLength(MAX_SOURCES))),
    ),
  }),
);
export const personPresenceSchema = named(
  'PersonPresence',
  z.object({
    user: described('The person.', userReferenceSchema),
    state: described(
      'Where the person is; `unknown`: nobody told, and no device shows it.',
      wordOf('PresenceState', PRESENCE_STATES),
    ),
    evidence: described('What the state rests on.', z.enum(['told', 'device', 'none'])),
    since: described('`null`: nothing was ever known.', z.nullable(timeSchema)),
    away_after_s: awayAfterSchema,
    sources: described(
      'Features with the capability `presence` or `motion` that belong to this person alone.',
      z.array(sourceSchema),
    ),
    revision: z.int(),
  }),
);
export const presenceSchema = named(
  'Presence',
  described(
    'Who is at home, as far as the evidence goes.',
    z.object({
      anyone: described(
        '`home` if one person is, `away` if all of them are.',
        wordOf('PresenceState', PRESENCE_STATES),
      ),
      people: described(
        'Only for callers with the right `automation:read`.',
        z.optional(z.array(personPresenceSchema)),
      ),
    }),
  ),
);

/** The presence of one person in the form of the API. */
export function personPresenceJson({ id, name }: User, presence: Presence): z.infer<typeof personPresenceSchema> {
  const { state, evidence, sinceMs, awayAfterS, sources, revision } = presence;
  return {
    user: { id, name },
    state,
    evidence: evidence ?? 'none',
    since: sinceMs === 0 ? null : timeJson(sinceMs),
    away_after_s: awayAfterS,
    sources: sources.map(({ deviceId, key }) => ({ device: deviceId, key })),
    revision,
  };
}

declareEvents(50, 'automation:read', {
  'presence.changed': {
    about: 'The state of a person, or what it rests on. Only for callers with the right `automation:read`.',
    shape: { presence: personPresenceSchema },
    json: ({ user, presence }) => ({ presence: personPresenceJson(user, presence) }),
  },
});
