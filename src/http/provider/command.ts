import * as z from 'zod/mini';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { repeat } from '#base/time/repeat.ts';
import type { CommandAnswer, ProviderCommand } from '#core/provider/provider.ts';
import { createReportReader } from '#core/provider/state-report.ts';
import { described, named } from '#http/note/described.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import type { ProviderRoutesDeps } from './directory.ts';
import {
  commandJson,
  MAX_WAIT_S,
  providerCommandsSchema,
  providerTextSchema,
  statedFrom,
  stateValuesSchema,
} from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

const commandAnswerSchema = named(
  'ProviderCommandAnswer',
  z.strictObject({
    status: described(
      '`sent`: given to the device, more is not known. `done`: the device did it. `failed`: it did not.',
      z.enum(['sent', 'done', 'failed']),
    ),
    values: described('What the device reported then; only with `done`.', z.optional(stateValuesSchema)),
    reason: described('For people; only with `failed`.', z.optional(providerTextSchema)),
  }),
);

const PATH = '/api/v1/provider/:name/command';
const USUAL_WAIT_S = 25;
/** A script whose token was revoked waits no longer than this. */
const CHECK_MS = 1_000;

const querySchema = z.strictObject({
  wait: described(
    'Seconds to wait for a command, by default 25.',
    z.optional(z.int().check(z.gte(0), z.lte(MAX_WAIT_S))),
  ),
});

/** How commands come to a script, and how it answers them. */
export function commandRoutes(deps: ProviderRoutesDeps): readonly Route[] {
  const { providers } = deps;
  return [
    defineRoute({
      id: 'getProviderCommands',
      method: 'GET',
      path: PATH,
      summary: 'Wait for commands',
      tag: 'Provider',
      note: notes.getProviderCommands,
      access: 'device:provide',
      place: 'provider',
      query: querySchema,
      answers: { 200: providerCommandsSchema },
      handle: async (request) => {
        const door = providers.doorOf(request.params['name'] ?? '');
        door.renew();
        const waitMs = (request.query.wait ?? USUAL_WAIT_S) * 1_000;
        // HEAD shows no content, so no command may be lost to it.
        const commands = request.isHead
          ? []
          : await whileAllowed(deps, request, (signal) => door.takeCommands(waitMs, signal));
        return { status: 200, json: { commands: commands.map(commandJson) } };
      },
    }),
    defineRoute({
      id: 'answerProviderCommand',
      method: 'POST',
      path: `${PATH}/:id`,
      summary: 'Say what became of a command',
      tag: 'Provider',
      note: notes.answerProviderCommand,
      access: 'device:provide',
      place: 'provider',
      ration: 'command',
      body: jsonBody(commandAnswerSchema),
      answers: { 204: null },
      audit: { unaudited: 'the command itself is in the log where it must be' },
      handle: ({ params, body }) => {
        refuseWrongMembers(body);
        const name = params['name'] ?? '';
        const door = providers.doorOf(name);
        door.renew();
        const command = door.findCommand(params['id'] ?? '');
        if (command === undefined)
          throw new HubError('NOT_FOUND', 'There is no such command, or nobody waits for its outcome any more.');
        door.answerCommand(command.id, answerFrom(deps, { name, command }, body));
        return { status: 204 };
      },
    }),
  ];
}

/** Ends the wait when the client leaves or loses its rights; then throws the refusal. */
async function whileAllowed(
  { startTimer }: ProviderRoutesDeps,
  { signal, authorize }: Pick<RouteRequest<unknown, unknown>, 'signal' | 'authorize'>,
  wait: (signal: AbortSignal) => Promise<readonly ProviderCommand[]>,
): Promise<readonly ProviderCommand[]> {
  const end = new AbortController();
  const leave = (): void => end.abort();
  const client = signal();
  if (client.aborted) leave();
  client.addEventListener('abort', leave, { once: true });
  const stop = repeat(startTimer, CHECK_MS, () => {
    try {
      authorize();
    } catch (cause) {
      if (!(cause instanceof HubError)) throw cause;
      leave();
    }
  });
  try {
    const commands = await wait(end.signal);
    authorize();
    return commands;
  } finally {
    stop();
    client.removeEventListener('abort', leave);
  }
}

type Answered = { readonly name: string; readonly command: ProviderCommand };

function answerFrom(
  { registry, wallMs }: ProviderRoutesDeps,
  { name, command: { externalId } }: Answered,
  body: z.infer<typeof commandAnswerSchema>,
): CommandAnswer {
  const { status, values, reason = 'The script could not carry it out.' } = body;
  if (status === 'sent') return { status };
  if (status === 'failed') return { status, reason };
  const read = createReportReader({
    findDevice: (id) => registry.findByExternalId(name, id),
    hasRoomFor: ({ id }, all) => registry.hasRoomFor(id, all),
    wallMs,
  });
  const reading = read(externalId, statedFrom({ values }), '');
  if ('errors' in reading) throw validationFailed(reading.errors);
  return { status, values: reading.report.values };
}

/** Throws HubError VALIDATION_FAILED for a member that does not belong to the status. */
function refuseWrongMembers({ status, values, reason }: z.infer<typeof commandAnswerSchema>): void {
  const errors: FieldError[] = [];
  if (values !== undefined && status !== 'done')
    errors.push(fieldError('/values', 'INVALID_VALUE', ...faultWords('only_done')));
  if (reason !== undefined && status !== 'failed')
    errors.push(fieldError('/reason', 'INVALID_VALUE', ...faultWords('only_failed')));
  if (errors.length > 0) throw validationFailed(errors);
}
