import * as z from 'zod/mini';
import { ISSUER_TYPES } from '#core/cause/issuer.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { messageReasonSchema } from './reason-json.ts';

export const roomReferenceSchema = named(
  'RoomReference',
  z.object({ id: z.uuid(), selector: z.string(), name: z.string() }),
);

/** A device for people. Programs need no name: `DeviceReference`. */
export const namedDeviceSchema = named(
  'NamedDevice',
  z.object({ id: z.uuid(), selector: z.string(), name: z.string() }),
);

export const userReferenceSchema = named('UserReference', z.object({ id: z.string(), name: z.string() }));

export const failureSchema = named(
  'Failure',
  z.object({
    code: described('For programs.', z.string()),
    message: described('For people.', z.string()),
    reason: messageReasonSchema,
  }),
);

export const issuerSchema = named(
  'Issuer',
  z.object({
    type: described(
      'A login, an API token, an automation, or another way into the hub.',
      wordOf('IssuerType', ISSUER_TYPES),
    ),
    id: z.string(),
  }),
);

/** The same with the person, for callers who may know it. */
export const namedIssuerSchema = named(
  'NamedIssuer',
  z.object({
    ...issuerSchema.shape,
    user: described('The person; `null` if the account is gone.', z.nullable(userReferenceSchema)),
  }),
);
