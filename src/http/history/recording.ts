import * as z from 'zod/mini';
import type { Scope } from '#auth/scope.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { HubError } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { RECORDING_MODES, type RecordingSettings } from '#core/past/history/recording-settings.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { requireTag, tagOf } from '#http/answer/entity-tag.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { asOfNow, callerOf } from '#http/rights/access.ts';
import { defineRoute, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { takingShown } from '#http/routing/shown-too.ts';
import * as notes from './notes.ts';

type RecordingRoutesDeps = {
  readonly recording: Pick<RecordingSettings, 'of' | 'isRecorded' | 'update'>;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

const PATH = '/api/v1/device/:selector/feature/:key/recording';
const MAX_INTERVAL_S = 86_400;

const modeSchema = described(
  '`auto` records what devices are for, counters, batteries and what automations look at; `on` and `off` decide for this feature. Texts of more than 256 characters are recorded only with `on`. A device has room for 48 MB a day, as thirty numbers a second take, and all devices of a provider together for 60 MB; then comes a gap `paused`, until the next day (UTC), and the notification `history_paused`. The same happens for the rest of the month to a device that has had its share of the room of the month (`open_month` in `GET /health`).',
  wordOf('RecordingMode', RECORDING_MODES),
);
const intervalSchema = described(
  'At most one sample in so many seconds, each true at its time; `null` for every change.',
  z.nullable(z.int().check(z.gte(1), z.lte(MAX_INTERVAL_S))),
);
const deadbandSchema = described(
  'A number within this distance of the last sample makes no sample, so that the line is never further from the truth; `null` for every change.',
  z.nullable(z.number().check(z.gt(0), z.lte(1e12))),
);

const recordingSchema = named(
  'Recording',
  z.object({
    mode: modeSchema,
    min_interval_s: intervalSchema,
    deadband: deadbandSchema,
    recorded: described('Whether the feature is recorded now.', z.boolean()),
  }),
);
const recordingUpdateSchema = named(
  'RecordingUpdate',
  takingShown(
    z.strictObject({
      mode: z.optional(modeSchema),
      min_interval_s: z.optional(intervalSchema),
      deadband: z.optional(deadbandSchema),
    }),
    recordingSchema,
  ),
);

/** Whether and how a feature is recorded. */
export function recordingRoutes(deps: RecordingRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'getRecording',
      method: 'GET',
      path: PATH,
      summary: 'Show how one feature is recorded',
      tag: 'History',
      note: notes.getRecording,
      access: 'history:read',
      answers: { 200: recordingSchema },
      handle: (request) => {
        const { device, feature } = findFeature(deps, request, 'history:read');
        return showRecording(deps, device, feature);
      },
    }),
    defineRoute({
      id: 'updateRecording',
      method: 'PATCH',
      path: PATH,
      summary: 'Change how one feature is recorded',
      tag: 'History',
      note: notes.updateRecording,
      access: 'device:manage',
      body: mergePatchBody(recordingUpdateSchema),
      answers: { 200: recordingSchema },
      audit: 'recording.changed',
      handle: async (request) => {
        const { device, feature } = findFeature(deps, request, 'device:manage');
        const { mode, min_interval_s: minIntervalS, deadband } = request.body;
        const change = {
          ...(mode !== undefined && { mode }),
          ...(minIntervalS !== undefined && { minIntervalS }),
          ...(deadband !== undefined && { deadband }),
        };
        const authorize = (): void => {
          findFeature(deps, asOfNow(request), 'device:manage');
          requireTag(request.header('if-match'), tagOf(deps.recording.of(device, feature.key)));
        };
        const next = await deps.recording.update(device, feature, { change, authorize });
        return {
          ...showRecording(deps, device, feature),
          auditDetail: `${device.selector}/${feature.key} ${next.mode}`,
        };
      },
    }),
  ];
}

type Found = { readonly device: Device; readonly feature: Feature };

function findFeature(
  { registry }: RecordingRoutesDeps,
  request: Pick<RouteRequest<unknown, unknown>, 'caller' | 'params'>,
  right: Scope,
): Found {
  const { selector = '', key = '' } = request.params;
  const device = findDeviceIn(visibilityFor(callerOf(request), right), registry.findDevice)(selector);
  if (device === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
  const feature = device.features.find((one) => one.key === key);
  if (feature === undefined) throw new HubError('NOT_FOUND', 'This device has no such feature.');
  if (seriesKindOf(feature) === null) throw new HubError('NOT_SUPPORTED', 'Nothing can be recorded of this feature.');
  return { device, feature };
}

function showRecording({ recording }: RecordingRoutesDeps, device: Device, feature: Feature): RouteAnswer {
  const settable = recording.of(device, feature.key);
  const { mode, minIntervalS, deadband } = settable;
  const json: z.infer<typeof recordingSchema> = {
    mode,
    min_interval_s: minIntervalS,
    deadband,
    recorded: recording.isRecorded(device, feature),
  };
  return { status: 200, json, headers: { ETag: tagOf(settable) } };
}
