import type { z } from 'zod/mini';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '#auth/sign-in/password-policy.ts';
import { MAX_URL_LENGTH } from '#core/webhook/webhook.ts';
import {
  commandRequestSchema,
  targetedCommandSchema,
  targetsSchema,
  requestedValuesSchema,
  wishSchema,
} from '#http/command/routes.ts';
import { automationPartsSchema } from '#http/automation/json.ts';
import { setupCreateSchema } from '#http/integration-setup/json.ts';
import { declaredFeaturesSchema, providerTextSchema, stateReportsSchema } from '#http/provider/json.ts';
import { emailSchema, newPasswordSchema, personRoomsSchema } from '#http/user/json.ts';
import { exporterUrlSchema, startSchema } from '#http/exporter/json.ts';
import { loginPasswordSchema } from '#http/session/json.ts';
import { networkSchema, apiTokenCreateSchema } from '#http/api-token/json.ts';
import { DEVICE_FIELDS } from '#http/device/json.ts';
import { deviceCursorSchema, deviceFieldSchema } from '#http/device/query.ts';
import { notificationTextSchema, notificationTitleSchema } from '#http/notification/json.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import type { JsonSchema } from './schemas.ts';
import { webhookUrlSchema } from '#http/webhook/json.ts';

const TIME =
  '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])';

/** Exactly one of the two fields. `oneOf` would say the same, but generators make two types of it. */
function oneOf(field: string, other: string): JsonSchema {
  return { not: { required: [field, other] }, if: { required: [field] }, else: { required: [other] } };
}

/**
 * Keywords of a schema that its checks cannot express, or that replace theirs. Every language can read the patterns:
 * they have no `\p{…}`. The hub is a little stricter, with characters that people do not type.
 */
export const LIMITS: ReadonlyMap<z.core.$ZodType, JsonSchema> = new Map<z.core.$ZodType, JsonSchema>([
  [nameSchema, { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` }],
  [notificationTitleSchema, { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$` }],
  [notificationTextSchema, { pattern: String.raw`^[^\u0000-\u0008\u000b-\u001f\u007f-\u009f]*$` }],
  [automationPartsSchema, { items: { $ref: '#/components/schemas/AutomationPart' } }],
  [declaredFeaturesSchema, { items: { $ref: '#/components/schemas/ProviderFeature' } }],
  [stateReportsSchema, { items: { $ref: '#/components/schemas/ProviderReport' }, maxItems: 1_000 }],
  [providerTextSchema, { pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]*$` }],
  [emailSchema, { pattern: String.raw`^[^\s@]+@[^\s@]+$` }],
  [newPasswordSchema, { minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH }],
  [personRoomsSchema, { items: { type: 'string', minLength: 1, maxLength: 200 } }],
  [loginPasswordSchema, { maxLength: 1024 }],
  [deviceCursorSchema, { pattern: '^[A-Za-z0-9_-]+$' }],
  // In Kotlin a constant cannot be called `name`.
  [deviceFieldSchema, { 'x-enum-varnames': DEVICE_FIELDS.map((field) => field.toUpperCase()) }],
  [networkSchema, { pattern: String.raw`^[0-9a-fA-F.:]+(/[0-9]{1,3})?$` }],
  [webhookUrlSchema, { pattern: '^https?://[^#]+$', maxLength: MAX_URL_LENGTH }],
  [startSchema, { pattern: `^(now|beginning|${TIME})$`, maxLength: 40 }],
  [exporterUrlSchema, { pattern: '^(https?|mqtts?)://[^#]+$', maxLength: MAX_URL_LENGTH }],
  [requestedValuesSchema, { minProperties: 1 }],
  [targetsSchema, { minProperties: 1 }],
  [commandRequestSchema, oneOf('set', 'do')],
  [
    targetedCommandSchema,
    {
      allOf: ['targets', 'set', 'do'].map((field) => ({ not: { required: ['wishes', field] } })),
      if: { required: ['wishes'] },
      else: { required: ['targets'], ...oneOf('set', 'do') },
    },
  ],
  [wishSchema, oneOf('set', 'do')],
  [setupCreateSchema, oneOf('kind', 'found')],
  [apiTokenCreateSchema, oneOf('scopes', 'preset')],
]);
