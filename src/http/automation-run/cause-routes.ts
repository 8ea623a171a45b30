import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { findDeviceIn, maySeeCommand, visibilityFor } from '#auth/visibility.ts';
import { HubError } from '#base/hub-error.ts';
import { readMoment } from '#core/past/archive/read-moment.ts';
import type { RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import { chainOfChange, chainOfCommand, type ChangeSeen } from '#core/automation-run/why/cause-chain.ts';
import type { CommandService } from '#core/command/command-service.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { findLastChange } from '#core/past/timeline/last-change.ts';
import { askedHistory } from '#http/history/asked-history.ts';
import { createQueryQueue } from '#http/history/query-queue.ts';
import { described } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, type Route, type RouteRequest } from '#http/routing/route.ts';
import { type CauseReader, causesJson, causesSchema } from './cause-json.ts';
import * as notes from './notes.ts';
import { seenHomeFor, type SeenHomeDeps } from './seen-home.ts';

type CauseRoutesDeps = Pick<SeenHomeDeps, 'automations' | 'accounts'> & {
  readonly commands: Pick<CommandService, 'findCommand'>;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  readonly runHistory: { readonly runs: Pick<RunRegistry, 'find'> };
  readonly history: Pick<HistoryStore, 'readSlice' | 'findBefore'>;
  /** Hub time. */
  readonly nowMs: () => number;
};

const querySchema = z.strictObject({
  at: described(
    'The last change before this moment: RFC 3339, or before now as `-2h`. Now if absent.',
    z.optional(z.string().check(z.maxLength(40))),
  ),
});

/** Makes the calls that tell what caused a command, or the value of a feature. */
export function causeRoutes(deps: CauseRoutesDeps): readonly Route[] {
  const find = { findCommand: deps.commands.findCommand, findRun: deps.runHistory.runs.find };
  const queue = createQueryQueue();
  return [
    defineRoute({
      id: 'getCommandWhy',
      method: 'GET',
      path: '/api/v1/command/:id/why',
      summary: 'Show what caused a command',
      tag: 'Command',
      note: notes.getCommandWhy,
      access: 'device:read',
      answers: { 200: causesSchema },
      handle: (request) => {
        const command = find.findCommand(request.params['id'] ?? '');
        const caller = callerOf(request);
        const reader = readerFor(deps, caller, 'device:read');
        const devices = command?.results.map(({ deviceId }) => deviceId) ?? [];
        if (command === undefined || !reader.seesIssuer(command.createdBy, devices)) {
          throw new HubError('NOT_FOUND', 'There is no such command.');
        }
        return { status: 200, json: causesJson(chainOfCommand(find, command), reader) };
      },
    }),
    defineRoute({
      id: 'getFeatureWhy',
      method: 'GET',
      path: '/api/v1/device/:selector/feature/:key/why',
      summary: 'Show what caused the last change of a feature',
      tag: 'History',
      note: notes.getFeatureWhy,
      access: 'history:read',
      query: querySchema,
      answers: { 200: causesSchema },
      handle: (request) => {
        const found = featureOf(deps, request);
        const nowMs = deps.nowMs();
        const { at } = request.query;
        const beforeMs = at === undefined ? undefined : Math.min(nowMs, readMoment(at, 'at', nowMs));
        return queue(callerOf(request).user.id, async () => {
          const change = await findChange(deps, request, { ...found, beforeMs });
          // Rights and devices may have changed meanwhile.
          const caller = request.authorize();
          featureOf(deps, request);
          const reader = readerFor(deps, caller, 'history:read');
          return { status: 200, json: causesJson(chainOfChange(find, change), reader) };
        });
      },
    }),
  ];
}

function readerFor(deps: CauseRoutesDeps, caller: Caller, right: Scope): CauseReader {
  const { findDevice } = deps.registry;
  return {
    home: seenHomeFor(caller, deps, right),
    seesIssuer: (issuer, deviceIds) => maySeeCommand(caller, { issuer, deviceIds }, { right, findDevice }),
    findUser: deps.accounts.findUser,
  };
}

type Asking = RouteRequest<unknown, unknown>;
type Found = { readonly device: Device; readonly feature: Feature };

function featureOf({ registry }: CauseRoutesDeps, request: Asking): Found {
  const caller = callerOf(request);
  const device = findDeviceIn(
    visibilityFor(caller, 'history:read'),
    registry.findDevice,
  )(request.params['selector'] ?? '');
  if (device === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
  const feature = device.features.find(({ key }) => key === request.params['key']);
  if (feature === undefined) throw new HubError('NOT_FOUND', 'This device has no such feature.');
  return { device, feature };
}

/** As it was recorded; without a record, what the device says now, whose cause nobody kept. */
async function findChange(
  { history, nowMs }: CauseRoutesDeps,
  request: Asking,
  { device, feature, beforeMs }: Found & { readonly beforeMs: number | undefined },
): Promise<ChangeSeen> {
  const { id } = device;
  const { key } = feature;
  const kind = seriesKindOf(feature) === 'event' ? 'event' : 'state';
  const last = await findLastChange(askedHistory(history, request), { device: id, key, kind }, beforeMs ?? nowMs() + 1);
  if (last !== undefined) return { device: id, key, ...last };
  const state = beforeMs === undefined ? device.states.get(key) : undefined;
  if (state === undefined || state.value === null) {
    throw new HubError('NOT_FOUND', 'No change of this feature is kept from before that moment.');
  }
  return { device: id, key, value: state.value, atMs: state.changedAtMs, cause: null, by: null, isSeen: false };
}
