import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import * as z from 'zod/mini';
import type { JsonValue } from '#base/json.ts';
import { type CauseChain, type CauseLink, ORIGINS } from '#core/automation-run/why/cause-chain.ts';
import { COMMAND_STATUSES } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { User, UserId } from '#core/person/user.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { namedIssuerSchema } from '#http/answer/reference.ts';
import { reasonSchema } from '#http/answer/reason-json.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { filled, type Values } from '#words/texts.ts';
import type { SeenHome } from './seen-home.ts';

const saidSchema = { sentence: described('In English.', z.string()), reason: reasonSchema };
const causeLinkSchema = named(
  'CauseLink',
  z.object({
    type: described(
      '`change` of a feature, the `command` that it answers, the `run` of an automation that gave the command, and the `trigger` that started the run.',
      z.enum(['change', 'command', 'run', 'trigger']),
    ),
    at: described('`null`: it is not kept any more, or nobody knows.', z.nullable(timeSchema)),
    ...saidSchema,
    device: described('Selector.', z.optional(z.string())),
    key: z.optional(z.string()),
    value: z.optional(z.unknown()),
    command: described(
      'The command that it is about.',
      z.optional(
        z.object({
          id: z.string(),
          status: described('How far it came.', z.optional(wordOf('CommandStatus', COMMAND_STATUSES))),
        }),
      ),
    ),
    by: described('Who gave the command.', z.optional(namedIssuerSchema)),
    automation: described('Selector; its id if it is gone.', z.optional(z.string())),
    run: described(
      'The run that it is about.',
      z.optional(z.object({ id: z.string(), outcome: z.optional(wordOf('RunOutcome', RUN_OUTCOMES)) })),
    ),
    trigger: described(
      'What started that run.',
      z.optional(z.object({ id: z.string(), type: described('Which trigger it is.', z.string()) })),
    ),
    hidden: described(
      'The caller may not see it: what it says is left out, and so is all that came before it.',
      z.optional(z.literal(true)),
    ),
  }),
);
export const causesSchema = named(
  'Causes',
  described(
    'What came of what, the newest first.',
    z.object({
      origin: described(
        '`hand`: the device reported a change that no command of the hub explains. That is evidence of a hand, and no proof. `report`: a device measured or noticed it. `start`: somebody started the automation. `other`: something of the hub, such as a mode. `unknown`: what would tell is not kept. `hidden`: the caller may not see it.',
        z.enum([...ORIGINS, 'hidden']),
      ),
      ...saidSchema,
      chain: described('From what happened last back to what it began with.', z.array(causeLinkSchema)),
    }),
  ),
);

type LinkJson = z.infer<typeof causeLinkSchema>;

export type CauseReader = {
  readonly home: SeenHome;
  /** Whether the reader may know who gave a command to these devices. */
  readonly seesIssuer: (issuer: Issuer, devices: readonly DeviceId[]) => boolean;
  readonly findUser: (id: UserId) => Pick<User, 'id' | 'name'> | undefined;
};

/** The chain as this reader may see it: it ends at the first link that is hidden. */
export function causesJson({ links, origin }: CauseChain, reader: CauseReader): z.infer<typeof causesSchema> {
  const shown: LinkJson[] = [];
  for (const link of links) {
    const json = linkJson(link, reader);
    shown.push(json);
    if (json.hidden === true) return { origin: 'hidden', ...said('hidden'), chain: shown };
  }
  return { origin, ...said(origin), chain: shown };
}

/** By the id of the reason. An origin has its own. */
const TEXTS = {
  person: 'A person gave the command.',
  script: 'A script gave the command.',
  start: 'Somebody started the automation.',
  schedule: 'Its time had come.',
  hand: 'No command of the hub explains it, so it was probably a hand: at the device, at a switch, or in another app.',
  report: 'A device reported it.',
  other: 'It came from the hub itself.',
  unknown: 'What would tell is not kept.',
  hidden: 'You may not see what caused it.',
  link_hidden: 'You may not see it.',
  run_hidden: 'An automation that you may not see ran.',
  became: '{feature} became {value}.',
  command_not_kept: 'A command did it that is not kept any more.',
  automation_commanded: 'An automation gave the command.',
  person_commanded: '{name} gave the command.',
  script_commanded: 'A script of {name} gave the command.',
  app_commanded: '{app}, over Matter, gave the command.',
  gone_person_commanded: 'Somebody whose account is gone gave the command.',
  gone_script_commanded: 'A script of somebody whose account is gone gave the command.',
  ran: '{automation} ran.',
  ran_once: '{automation} ran; the run is not kept any more.',
  gone_ran: 'An automation that is gone ran.',
  gone_ran_once: 'An automation that is gone ran; the run is not kept any more.',
  trigger_time: 'Its time came.',
  trigger_sun: 'The sun stood where it waits for it.',
  trigger_run: 'It was started.',
  trigger_hook: 'Its hook was called.',
  trigger_other: 'Its trigger ({type}) happened.',
} as const;

function said(id: keyof typeof TEXTS, values: Values = {}): z.infer<z.ZodMiniObject<typeof saidSchema>> {
  return { sentence: filled(TEXTS[id], values), reason: { id, with: values } };
}

function linkJson(link: CauseLink, reader: CauseReader): LinkJson {
  switch (link.type) {
    case 'change':
      return valueJson(link, reader.home);
    case 'command':
      return commandLinkJson(link, reader);
    case 'run':
      return runJson(link, reader.home);
    default:
      return triggerJson(link, reader.home);
  }
}

type Of<Type extends CauseLink['type']> = Extract<CauseLink, { readonly type: Type }>;

function valueJson({ atMs, device, key, value }: Of<'change'>, home: SeenHome): LinkJson {
  const at = timeJson(atMs);
  if (!home.seesDevice(device)) return { type: 'change', at, ...said('link_hidden'), hidden: true };
  return {
    type: 'change',
    at,
    ...becameJson(home, { device, key, value }),
    device: home.selectorOf(device),
    key,
    value,
  };
}

function becameJson(
  { words }: SeenHome,
  { device, key, value }: { readonly device: DeviceId; readonly key: string; readonly value: JsonValue },
): ReturnType<typeof said> {
  const feature = words.featureName(device, key) ?? key;
  return said('became', { feature, value: words.valueText(value, { device, key }) });
}

function commandLinkJson(
  { id, command, by, device }: Of<'command'>,
  { home, seesIssuer, findUser }: CauseReader,
): LinkJson {
  const at = timeJson(command?.createdAtMs ?? null);
  const devices = command?.results.map(({ deviceId }) => deviceId) ?? (device === null ? [] : [device]);
  // An automation's command is shown by the run that gave it.
  const isSeen = by === null ? home.isWhole : by.type === 'automation' || seesIssuer(by, devices);
  if (!isSeen) return { type: 'command', at, ...said('link_hidden'), hidden: true };
  const shared = { type: 'command', at, command: { id, ...(command && { status: command.status }) } } as const;
  if (by === null) return { ...shared, ...said('command_not_kept') };
  if (by.type === 'automation') return { ...shared, ...said('automation_commanded') };
  const user = findUser(by.userId);
  const shownUser = user === undefined ? null : { id: user.id, name: user.name };
  return { ...shared, ...speakerJson(by, user?.name), by: { type: by.type, id: by.id, user: shownUser } };
}

function speakerJson({ type, id }: Pick<Issuer, 'type' | 'id'>, name: string | undefined): ReturnType<typeof said> {
  // The name that another maker's app gave itself: `Apple Home`.
  if (type === 'matter') return said('app_commanded', { app: id });
  if (type === 'api_token')
    return name === undefined ? said('gone_script_commanded') : said('script_commanded', { name });
  return name === undefined ? said('gone_person_commanded') : said('person_commanded', { name });
}

function runJson({ automation, run, trace }: Of<'run'>, home: SeenHome): LinkJson {
  const at = timeJson(trace?.startedAtMs ?? null);
  if (!home.seesAutomations) return { type: 'run', at, ...said('run_hidden'), hidden: true };
  const id = automation ?? trace?.automation;
  const record = id === undefined ? undefined : home.automationOf(id as NonNullable<typeof trace>['automation']);
  const [here, gone] = trace === undefined ? (['ran_once', 'gone_ran_once'] as const) : (['ran', 'gone_ran'] as const);
  return {
    type: 'run',
    at,
    ...(record === undefined ? said(gone) : said(here, { automation: record.name })),
    ...(id === undefined ? {} : { automation: record?.selector ?? id }),
    run: { id: run, ...(trace && { outcome: trace.outcome }) },
  };
}

function triggerJson({ facts }: Of<'trigger'>, home: SeenHome): LinkJson {
  const { id, type, device, key, value, action, atMs } = facts;
  const at = timeJson(atMs);
  const isSeen = device === null ? type !== 'presence' || home.seesPresence : home.seesDevice(device);
  if (!isSeen) return { type: 'trigger', at, ...said('link_hidden'), hidden: true };
  const shared = { type: 'trigger', at, trigger: { id, type } } as const;
  if (device === null || key === null)
    return { ...shared, ...(isToldTrigger(type) ? said(`trigger_${type}`) : said('trigger_other', { type })) };
  const what = { device, key, value: action ?? value };
  return { ...shared, ...becameJson(home, what), ...what, device: home.selectorOf(device) };
}

const isToldTrigger = (type: string): type is 'time' | 'sun' | 'run' | 'hook' =>
  ['time', 'sun', 'run', 'hook'].includes(type);
