import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import { z } from 'zod/mini';
import type { JsonValue } from '#base/json.ts';
import { type CauseChain, type CauseLink, ORIGINS } from '#core/automation-run/why/cause-chain.ts';
import { COMMAND_STATUSES } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { User, UserId } from '#core/person/user.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { namedIssuerSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import type { SeenHome } from './seen-home.ts';

const causeLinkSchema = named(
  'CauseLink',
  z.object({
    type: described(
      '`change` of a feature, the `command` that it answers, the `run` of an automation that gave the command, and the `trigger` that started the run.',
      z.enum(['change', 'command', 'run', 'trigger']),
    ),
    at: described('`null`: it is not kept any more, or nobody knows.', z.nullable(timeSchema)),
    sentence: described('In English.', z.string()),
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
      sentence: described('In English.', z.string()),
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
    if (json.hidden === true) return { origin: 'hidden', sentence: ORIGIN_SENTENCES.hidden, chain: shown };
  }
  return { origin, sentence: ORIGIN_SENTENCES[origin], chain: shown };
}

const ORIGIN_SENTENCES = {
  person: 'A person gave the command.',
  script: 'A script gave the command.',
  start: 'Somebody started the automation.',
  schedule: 'Its time had come.',
  hand: 'No command of the hub explains it, so it was probably a hand: at the device, at a switch, or in another app.',
  report: 'A device reported it.',
  other: 'It came from the hub itself.',
  unknown: 'What would tell is not kept.',
  hidden: 'You may not see what caused it.',
} as const;

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
  if (!home.seesDevice(device)) return { type: 'change', at, sentence: HIDDEN, hidden: true };
  return {
    type: 'change',
    at,
    sentence: `${changeText(home, { device, key, value })}.`,
    device: home.selectorOf(device),
    key,
    value,
  };
}

const HIDDEN = 'You may not see it.';

function changeText(
  { words }: SeenHome,
  { device, key, value }: { readonly device: DeviceId; readonly key: string; readonly value: JsonValue },
): string {
  const name = words.featureName(device, key) ?? key;
  return `${name} became ${words.valueText(value, { device, key })}`;
}

function commandLinkJson(
  { id, command, by, device }: Of<'command'>,
  { home, seesIssuer, findUser }: CauseReader,
): LinkJson {
  const at = timeJson(command?.createdAtMs ?? null);
  const devices = command?.results.map(({ deviceId }) => deviceId) ?? (device === null ? [] : [device]);
  // An automation's command is shown by the run that gave it.
  const isSeen = by === null ? home.isWhole : by.type === 'automation' || seesIssuer(by, devices);
  if (!isSeen) return { type: 'command', at, sentence: HIDDEN, hidden: true };
  const shared = { type: 'command', at, command: { id, ...(command && { status: command.status }) } } as const;
  if (by === null) return { ...shared, sentence: 'A command did it that is not kept any more.' };
  if (by.type === 'automation') return { ...shared, sentence: 'An automation gave the command.' };
  const user = findUser(by.userId);
  const name = user?.name ?? 'Somebody whose account is gone';
  const sentence = `${SPEAKERS[by.type](name, by.id)} gave the command.`;
  const shownUser = user === undefined ? null : { id: user.id, name: user.name };
  return { ...shared, sentence, by: { type: by.type, id: by.id, user: shownUser } };
}

const SPEAKERS = {
  session: (name: string) => name,
  api_token: (name: string) => `A script of ${name}`,
  // The name that another maker's app gave itself: `Apple Home`.
  matter: (_name: string, app: string) => `${app}, over Matter,`,
};

function runJson({ automation, run, trace }: Of<'run'>, home: SeenHome): LinkJson {
  const at = timeJson(trace?.startedAtMs ?? null);
  if (!home.seesAutomations)
    return { type: 'run', at, sentence: 'An automation that you may not see ran.', hidden: true };
  const id = automation ?? trace?.automation;
  const record = id === undefined ? undefined : home.automationOf(id as NonNullable<typeof trace>['automation']);
  const name = record?.name ?? 'An automation that is gone';
  return {
    type: 'run',
    at,
    sentence: trace === undefined ? `${name} ran; the run is not kept any more.` : `${name} ran.`,
    ...(id === undefined ? {} : { automation: record?.selector ?? id }),
    run: { id: run, ...(trace && { outcome: trace.outcome }) },
  };
}

function triggerJson({ facts }: Of<'trigger'>, home: SeenHome): LinkJson {
  const { id, type, device, key, value, action, atMs } = facts;
  const at = timeJson(atMs);
  const isSeen = device === null ? type !== 'presence' || home.seesPresence : home.seesDevice(device);
  if (!isSeen) return { type: 'trigger', at, sentence: HIDDEN, hidden: true };
  const shared = { type: 'trigger', at, trigger: { id, type } } as const;
  if (device === null || key === null)
    return { ...shared, sentence: TRIGGERS[type] ?? `Its trigger (${type}) happened.` };
  const what = { device, key, value: action ?? value };
  return { ...shared, sentence: `${changeText(home, what)}.`, ...what, device: home.selectorOf(device) };
}

const TRIGGERS: Readonly<Record<string, string>> = {
  time: 'Its time came.',
  sun: 'The sun stood where it waits for it.',
  run: 'It was started.',
  hook: 'Its hook was called.',
};
