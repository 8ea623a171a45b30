import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import type { KeptNearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import { sentenceOf } from '#core/automation-run/why/sentence.ts';
import { toldOfMiss } from '#core/automation-run/why/told.ts';
import { type WhyReason, VERDICTS, WHY_CODES, type WhyFields } from '#core/automation-run/why/verdict.ts';
import type { WhyAnswer } from '#core/automation-run/why/why-finder.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { reasonSchema } from '#http/answer/reason-json.ts';
import { evidenceJson, evidenceSchema, hiddenSchema, namedReason, reasonJson } from './json.ts';
import type { SeenHome } from './seen-home.ts';

const fieldsSchema = named(
  'WhyFields',
  described(
    'What the sentence is made of. Each code has some of them.',
    z.object({
      run: described('Id of the run that the sentence is about.', z.optional(z.string())),
      outcome: z.optional(wordOf('RunOutcome', RUN_OUTCOMES)),
      trigger: described('Its id in the definition.', z.optional(z.string())),
      device: described('Selector.', z.optional(z.string())),
      key: z.optional(z.string()),
      value: described('The value that there was.', z.optional(z.unknown())),
      limit: described('The value that it must have passed, or the most that may be.', z.optional(z.unknown())),
      rearms_at: described('Where the value must have been before the trigger fires again.', z.optional(z.unknown())),
      by: described('Who or what moved it.', z.optional(z.string())),
      reason: described('Why, in a word for programs.', z.optional(reasonSchema)),
      message: described('The reason in English.', z.optional(z.string())),
      after_s: described('Seconds for which it was so.', z.optional(z.number())),
      of_s: described('Seconds for which it must have been so.', z.optional(z.number())),
      late_s: described('Seconds by which it was late.', z.optional(z.number())),
      from: described('The beginning of the time that the sentence names.', z.optional(timeSchema)),
      to: described('The end of that time.', z.optional(timeSchema)),
      count: described('How often it happened in the same way.', z.optional(z.int())),
      conditions: described('Those that did not hold.', z.optional(z.array(evidenceSchema))),
      hidden: hiddenSchema,
    }),
  ),
);
const toldSchema = {
  code: described('What the sentence says, for programs and other languages.', wordOf('WhyCode', WHY_CODES)),
  sentence: described('In English.', z.string()),
  fields: fieldsSchema,
};
const whyLineSchema = named('WhyLine', z.object({ at: timeSchema, ...toldSchema }));
export const whySchema = named(
  'Why',
  z.object({
    automation: described('Selector.', z.string()),
    version: described('The one that counted then; `null` if there was none.', z.nullable(z.int())),
    at: timeSchema,
    from: described('The first moment that was looked at.', timeSchema),
    to: described('The last moment that was looked at.', timeSchema),
    verdict: described(
      '`trigger_never_happened`: `code` and `fields` tell the nearest approach. `device_unknown`: a device was away or had no value. `missed`: its time was noticed too late. `no_data`: nothing is kept of that time.',
      z.enum(VERDICTS),
    ),
    ...toldSchema,
    source: described(
      '`replay`: what was kept is gone, and this was made anew from the samples: an estimate.',
      z.enum(['kept', 'replay', 'none']),
    ),
    timeline: described('All that is known of that time, oldest first.', z.array(whyLineSchema)),
  }),
);
export const nearMissSchema = named(
  'NearMiss',
  z.object({
    at: timeSchema,
    last_at: described('When it happened for the last time.', timeSchema),
    count: described('How often it happened in the same way, each within a minute of the one before.', z.int()),
    ...toldSchema,
  }),
);

export function whyJson(
  { window, verdict, version, source, timeline, ...told }: WhyAnswer,
  { selector, atMs }: { readonly selector: string; readonly atMs: number },
  home: SeenHome,
): z.infer<typeof whySchema> {
  return {
    automation: selector,
    version,
    at: timeJson(atMs),
    from: timeJson(window.fromMs),
    to: timeJson(window.toMs),
    verdict,
    ...toldJson(told, home),
    source,
    timeline: timeline.map(({ atMs: lineMs, ...line }) => ({ at: timeJson(lineMs), ...toldJson(line, home) })),
  };
}

export function nearMissJson(miss: KeptNearMiss, home: SeenHome): z.infer<typeof nearMissSchema> {
  const { atMs, lastAtMs, count } = miss;
  return { at: timeJson(atMs), last_at: timeJson(lastAtMs), count, ...toldJson(toldOfMiss(miss), home) };
}

type ToldJson = z.infer<z.ZodMiniObject<typeof toldSchema>>;

function toldJson({ code, fields }: WhyReason, home: SeenHome): ToldJson {
  const seen = seenFields(fields, home);
  const sentence = sentenceOf({ code, fields: seen }, home.words);
  return { code, sentence, fields: fieldsJson(seen, home, isHidden(fields, home)) };
}

function isHidden({ device, value, by }: WhyFields, home: SeenHome): boolean {
  if (device !== undefined) return !home.seesDevice(device);
  // A value of no device is one of people, modes or variables.
  return (value !== undefined || by !== undefined) && !(home.isWhole && home.seesPresence);
}

function seenFields(fields: WhyFields, home: SeenHome): WhyFields {
  const { reason } = fields;
  if (!isHidden(fields, home)) return reason === undefined ? fields : { ...fields, reason: namedReason(reason, home) };
  const { value: _value, limit: _limit, rearmsAt: _rearmsAt, by: _by, reason: _reason, ...others } = fields;
  return others;
}

function fieldsJson(fields: WhyFields, home: SeenHome, hidden: boolean): ToldJson['fields'] {
  const { device, key, conditions, fromMs, toMs, afterMs, ofMs, lateMs, rearmsAt, reason: why, ...same } = fields;
  const { reason, message } = reasonJson(why ?? null);
  return {
    ...same,
    ...(reason && { reason }),
    ...(message === null ? {} : { message }),
    ...(device === undefined || hidden ? {} : { device: home.selectorOf(device) }),
    ...(key === undefined || hidden ? {} : { key }),
    ...(rearmsAt === undefined ? {} : { rearms_at: rearmsAt }),
    ...(afterMs === undefined ? {} : { after_s: afterMs / 1000 }),
    ...(ofMs === undefined ? {} : { of_s: ofMs / 1000 }),
    ...(lateMs === undefined ? {} : { late_s: lateMs / 1000 }),
    ...(fromMs === undefined ? {} : { from: timeJson(fromMs) }),
    ...(toMs === undefined ? {} : { to: timeJson(toMs) }),
    ...(conditions === undefined ? {} : { conditions: conditions.map((one) => evidenceJson(one, home)) }),
    ...(hidden ? { hidden: true } : {}),
  };
}
