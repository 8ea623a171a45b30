import { type FieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { isJsonObject } from '#base/json.ts';
import { createWorkSlices } from '#base/work-slices.ts';
import { createReportReader } from '#core/provider/state-report.ts';
import { MAX_FIELD_ERRORS } from '#http/answer/problem.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import type * as z from 'zod/mini';
import {
  MAX_REPORTS,
  readForm,
  statedFrom,
  stateAnswerSchema,
  stateReportSchema,
  stateSchema,
  tooManyValues,
} from './json.ts';
import type { ProviderRoutesDeps } from './directory.ts';
import * as notes from './notes.ts';

/** A thousand reports of some two hundred bytes. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_MEMBERS = 20_000;
/** The limit for each report: a body of nothing but faults must not return many times its size. */
const MAX_ERRORS = 8;

/** Makes the call with which a script reports the state of its devices. */
export function stateRoute(deps: ProviderRoutesDeps): Route {
  const { providers, registry, monotonicMs, wallMs } = deps;
  return defineRoute({
    id: 'reportProviderState',
    method: 'POST',
    path: '/api/v1/provider/:name/state',
    summary: 'Report what devices do',
    tag: 'Provider',
    note: notes.reportProviderState,
    access: 'device:provide',
    place: 'provider',
    ration: 'command',
    body: { ...jsonBody(stateSchema, MAX_BODY_BYTES), maxMembers: MAX_MEMBERS },
    answers: { 200: stateAnswerSchema },
    audit: { unaudited: 'it changes nothing but what devices report' },
    handle: async ({ params, body, authorize }) => {
      const { reports } = body;
      if (reports.length > MAX_REPORTS)
        throw new HubError('PAYLOAD_TOO_LARGE', `There may be at most ${MAX_REPORTS} reports at once.`);
      const name = params['name'] ?? '';
      const door = providers.doorOf(name);
      const read = createReportReader({
        findDevice: (externalId) => registry.findByExternalId(name, externalId),
        hasRoomFor: ({ id }, values) => registry.hasRoomFor(id, values),
        wallMs,
      });
      const refused: z.infer<typeof stateAnswerSchema>['refused'] = [];
      const faults: FieldError[] = [];
      const slices = createWorkSlices(monotonicMs);
      for (const [index, part] of reports.entries()) {
        const at = `/reports/${index}`;
        const form = tooManyValues(part, at) ?? readForm(stateReportSchema, part, at);
        const reading = 'errors' in form ? form : read(form.value.device, statedFrom(form.value), at);
        if ('report' in reading) door.report(reading.report);
        else {
          const errors = reading.errors.slice(0, MAX_ERRORS);
          faults.push(...errors);
          refused.push({ report: index, device: deviceOf(part), errors });
        }
        const pause = slices.pause();
        if (pause === undefined) continue;
        await pause;
        authorize();
      }
      door.renew();
      // A client that looks at the status alone must not take a report for delivered of which nothing was taken.
      if (refused.length > 0 && refused.length === reports.length)
        throw validationFailed(faults.slice(0, MAX_FIELD_ERRORS));
      return { status: 200, json: { taken: reports.length - refused.length, refused } };
    },
  });
}

/** The name in a report that may have any form. */
function deviceOf(part: unknown): string | null {
  const device = isJsonObject(part) ? part['device'] : null;
  return typeof device === 'string' ? device.slice(0, 128) : null;
}
