import * as z from 'zod/mini';
import type { PairingProgress } from '#core/integration/pairing.ts';
import { MAX_PAIRING_S, type PairingState } from '#core/integration/pairing.ts';
import { reasonSchema } from '#http/answer/reason-json.ts';
import { described, named } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

const secondsSchema = described(
  'Seconds for which devices may join; it closes by itself then.',
  z.int().check(z.gte(1), z.lte(MAX_PAIRING_S)),
);
export const pairingSchema = named('Pairing', z.strictObject({ seconds: secondsSchema }));

/** Longer than the text of any QR code. */
const MAX_CODE = 256;
export const pairingRequestSchema = named(
  'PairingRequest',
  z.strictObject({
    seconds: z.optional(secondsSchema),
    code: described(
      'Of the device that shall join, instead of `seconds`, where the integration `pairs_by_code`: the number that is printed on it, with or without hyphens, or the text of its QR code.',
      z.optional(z.string().check(z.minLength(1), z.maxLength(MAX_CODE))),
    ),
  }),
);

const pairedDeviceSchema = named('PairedDevice', z.object({ id: z.uuid() }));

const pairingProgressSchema = named(
  'PairingProgress',
  z.object({
    step: described(
      'What happened.',
      z.enum(['opened', 'closed', 'device_found', 'interview_started', 'interview_done', 'interview_failed']),
    ),
    external_id: described(
      'Address of the device in its protocol; `null`: it is about no single one.',
      z.nullable(z.string()),
    ),
    device: z.nullable(pairedDeviceSchema),
    /** How long pairing stays open; only with `opened`. */
    seconds: described('How long pairing stays open; only with `opened`, else `null`.', z.nullable(z.number())),
    detail: described('What the protocol says about it; `null`: nothing.', z.unknown()),
    reason: described('Names the detail among the words of the kind, where it is a text.', z.optional(reasonSchema)),
  }),
);

export const pairingStateSchema = named(
  'PairingState',
  z.object({
    remaining_s: described('For how long devices may still join; `null` while none may.', z.nullable(z.int())),
    progress: described(
      'The last `pairing.changed` of each device since it was opened, also after it has closed: at most 100.',
      z.array(pairingProgressSchema),
    ),
  }),
);

function pairingProgressJson({
  step,
  externalId: external_id,
  deviceId,
  seconds,
  detail,
  reason,
}: PairingProgress): z.infer<typeof pairingProgressSchema> {
  return {
    step,
    external_id,
    device: deviceId === null ? null : { id: deviceId },
    seconds,
    detail,
    ...(reason && { reason }),
  };
}

export function pairingStateJson({ remainingS, progress }: PairingState): z.infer<typeof pairingStateSchema> {
  return { remaining_s: remainingS, progress: progress.map(pairingProgressJson) };
}

declareEvents(150, 'device:manage', {
  'pairing.changed': {
    about: 'Only for callers with the right `device:manage`.',
    shape: { integration: z.object({ id: z.string() }), pairing: pairingProgressSchema },
    json: ({ integration, pairing }) => ({
      integration: { id: integration },
      pairing: pairingProgressJson(pairing),
    }),
  },
});
