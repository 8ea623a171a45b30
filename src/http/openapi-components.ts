import { z } from 'zod/mini';
import { FIELD_ERROR_CODES, PROBLEMS, type ProblemCode } from '#base/hub-error.ts';
import { refreshedSchema } from '#http/routes/access-token.ts';
import { apiRootSchema } from '#http/routes/api-root.ts';
import { auditEntrySchema } from '#http/routes/audit.ts';
import { backupSchema } from '#http/routes/backup.ts';
import { healthSchema } from '#http/routes/health.ts';
import { hubSchema } from '#http/routes/hub.ts';
import {
  integrationChangeSchema,
  integrationSchema,
  integrationSettingsSchema,
  pairingSchema,
} from '#http/routes/integration.ts';
import { signedInSchema } from '#http/routes/login.ts';
import { userSchema } from '#http/routes/me.ts';
import { kindSchema } from '#http/routes/problems.ts';
import { roomSchema } from '#http/routes/room.ts';
import { sessionSchema } from '#http/routes/session.ts';
import { accountSchema } from '#http/routes/user.ts';
import { systemInfoSchema } from '#http/routes/system.ts';
import { vocabularySchema } from '#http/routes/vocabulary.ts';
import { commandSchema } from './command-json.ts';
import { deviceSchema, featureSchema, listedDeviceSchema } from './device-json.ts';
import { CONTROL_SCHEMAS, EVENT_SCHEMAS } from './event-json.ts';
import { deliveryBodySchema } from './event-page-schema.ts';
import { addedApiTokenSchema, apiTokenSchema } from './api-token-json.ts';
import { addedWebhookSchema, deliverySchema, webhookSchema } from './webhook-json.ts';
import type { Problem } from './problem.ts';

const fieldErrorSchema = z.object({
  pointer: z.string(),
  code: z.enum(FIELD_ERROR_CODES),
  message: z.string(),
});

export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  code: z.enum(Object.keys(PROBLEMS) as ProblemCode[]),
  request_id: z.string(),
  errors: z.optional(z.array(fieldErrorSchema)),
}) satisfies z.ZodMiniType<Omit<Problem, 'errors'>>;

/** `device.added` → `DeviceAddedEvent`. */
const EVENTS = Object.fromEntries(
  Object.entries({ ...EVENT_SCHEMAS, ...CONTROL_SCHEMAS }).map(([type, schema]) => [
    `${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`,
    schema,
  ]),
);

/** The schemas that the document calls by a name. A name is for ever, as generated clients call their types by it. */
export const COMPONENTS = {
  Account: accountSchema,
  AddedApiToken: addedApiTokenSchema,
  AddedWebhook: addedWebhookSchema,
  ApiRoot: apiRootSchema,
  ApiToken: apiTokenSchema,
  AuditEntry: auditEntrySchema,
  Availability: deviceSchema.shape.availability,
  Backup: backupSchema,
  Command: commandSchema,
  CommandResult: commandSchema.shape.results.def.element,
  Delivery: deliverySchema,
  DeliveryBody: deliveryBodySchema,
  Device: deviceSchema,
  Feature: featureSchema,
  FieldError: fieldErrorSchema,
  Health: healthSchema,
  Hub: hubSchema,
  Integration: integrationSchema,
  IntegrationChange: integrationChangeSchema,
  IntegrationSettings: integrationSettingsSchema,
  ListedDevice: listedDeviceSchema,
  Pairing: pairingSchema,
  Problem: problemSchema,
  ProblemKind: kindSchema,
  RefreshedToken: refreshedSchema,
  Room: roomSchema,
  RoomReference: deviceSchema.shape.room.def.innerType,
  Session: sessionSchema,
  SignedIn: signedInSchema,
  SystemInfo: systemInfoSchema,
  User: userSchema,
  Vocabulary: vocabularySchema,
  Webhook: webhookSchema,
  ...EVENTS,
} satisfies Record<string, z.core.$ZodType>;
