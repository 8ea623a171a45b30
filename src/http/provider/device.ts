import type * as z from 'zod/mini';
import { createWorkSlices } from '#base/work-slices.ts';
import { type FieldError, HubError, fieldError, requireThing, validationFailed } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import { isVocabularyWord, VOCABULARY } from '#core/feature/vocabulary.ts';
import { PROVIDER_NAME, type ProviderDoor } from '#core/provider/provider.ts';
import { createReportReader } from '#core/provider/state-report.ts';
import { type DeclaredDevice, type DeclaredFeature, readDeclaration } from '#core/provider/device-declaration.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import {
  declaredDeviceSchema,
  declaredFeatureSchema,
  providedDeviceSchema,
  readForm,
  statedFrom,
  tooManyValues,
} from './json.ts';
import type { ProviderDirectory, ProviderRoutesDeps } from './directory.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

const PATH = '/api/v1/provider/:name/device/:external_id';
/** It is a part of a path, and people see it. */
const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_MEMBERS = 16_384;

type Deps = Pick<ProviderRoutesDeps, 'providers' | 'registry' | 'monotonicMs' | 'wallMs'>;

/** Declaring the devices of a script. */
export function declaredDeviceRoutes(deps: Deps): readonly Route[] {
  const { providers, registry, monotonicMs } = deps;
  const find = (params: Readonly<Record<string, string>>): Device | undefined =>
    registry.findByExternalId(params['name'] ?? '', params['external_id'] ?? '');
  return [
    defineRoute({
      id: 'setProviderDevice',
      method: 'PUT',
      path: PATH,
      summary: 'Declare a device',
      tag: 'Provider',
      note: notes.setProviderDevice,
      access: 'device:provide',
      place: 'provider',
      body: { ...jsonBody(declaredDeviceSchema, MAX_BODY_BYTES), maxMembers: MAX_MEMBERS },
      answers: { 200: providedDeviceSchema, 201: providedDeviceSchema },
      // Devices come and go as their integration reports them, which it may have to be made for.
      audit: (_, { auditDetail: detail }) => (detail === undefined ? undefined : { type: 'integration.added', detail }),
      handle: async ({ params, body, authorize }) => {
        const externalId = params['external_id'] ?? '';
        const name = params['name'] ?? '';
        if (!EXTERNAL_ID.test(externalId))
          throw validationFailed([], 'The external id must have at most 128 of A-Z, a-z, 0-9 and . _ : @ -.');
        const reading = await readDeclaration(await declarationFrom(externalId, body, monotonicMs), monotonicMs);
        authorize();
        const isFirst = !('errors' in reading) && providers.find(name) === undefined;
        if (isFirst) await makeProvider(providers, name, authorize);
        const door = providers.doorOf(name);
        door.renew();
        if ('errors' in reading) throw validationFailed(reading.errors);
        const isNew = find(params) === undefined;
        const isTaken = await door.describeDevice(reading.device);
        authorize();
        const device = find(params);
        if (!isTaken || device === undefined)
          throw new HubError('LIMIT_REACHED', 'The home has no room for this device: the integration says why.');
        reportWith(deps, door, { name, externalId, body });
        const { id, selector } = device;
        const answer = { status: isNew ? 201 : 200, json: { id, selector, external_id: externalId } };
        return isFirst ? { ...answer, auditDetail: name } : answer;
      },
    }),
    defineRoute({
      id: 'removeProviderDevice',
      method: 'DELETE',
      path: PATH,
      summary: 'Take a device away',
      tag: 'Provider',
      note: notes.removeProviderDevice,
      access: 'device:provide',
      place: 'provider',
      answers: { 204: null },
      audit: { unaudited: 'devices come and go as their integration reports them' },
      handle: async ({ params }) => {
        const door = providers.doorOf(params['name'] ?? '');
        door.renew();
        const device = requireThing(find(params), 'device');
        await door.removeDevice(device.externalId);
        return { status: 204 };
      },
    }),
  ];
}

/** The faults of the first features that have some. */
const MAX_ERRORS = 32;

/** Throws HubError VALIDATION_FAILED for features of a wrong form. */
async function declarationFrom(
  externalId: string,
  body: z.infer<typeof declaredDeviceSchema>,
  monotonicMs: () => number,
): Promise<DeclaredDevice> {
  const { name, type, manufacturer = null, model = null, firmware = null, stale_after_s: staleAfterS = null } = body;
  const features: DeclaredFeature[] = [];
  const errors: FieldError[] = [];
  const slices = createWorkSlices(monotonicMs);
  for (const [index, part] of body.features.entries()) {
    const form = readForm(declaredFeatureSchema, part, `/features/${index}`);
    if ('errors' in form) errors.push(...form.errors);
    else {
      const { capability } = form.value;
      const word = isVocabularyWord(capability) ? VOCABULARY[capability] : undefined;
      const known = word?.valueType === 'any' ? undefined : word?.valueType;
      const { kind = word?.kind, value_type: valueType = known, ...feature } = form.value;
      if (kind === undefined) errors.push(fieldError(`/features/${index}/kind`, 'REQUIRED', ...faultWords('required')));
      if (valueType === undefined)
        errors.push(fieldError(`/features/${index}/value_type`, 'REQUIRED', ...faultWords('required')));
      if (kind !== undefined && valueType !== undefined) features.push({ ...feature, kind, valueType });
    }
    if (errors.length >= MAX_ERRORS) break;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  if (errors.length > 0) throw validationFailed(errors.slice(0, MAX_ERRORS));
  const staleAfterMs = staleAfterS === null ? null : staleAfterS * 1_000;
  return { externalId, name, type, manufacturer, model, firmware, staleAfterMs, features };
}

/** As `PUT /provider/{name}` makes it, with what is usual. */
async function makeProvider(providers: ProviderDirectory, name: string, authorize: () => unknown): Promise<void> {
  if (!PROVIDER_NAME.test(name)) throw wrongProviderName();
  await providers.put(name, {}, { authorize: () => void authorize() });
}

type Declared = {
  readonly name: string;
  readonly externalId: string;
  readonly body: Pick<z.infer<typeof declaredDeviceSchema>, 'values' | 'occurrences'>;
};

/** Takes the report that came with a declaration. Throws VALIDATION_FAILED; the device stays declared. */
function reportWith({ registry, wallMs }: Deps, door: ProviderDoor, { name, externalId, body }: Declared): void {
  if (body.values === undefined && body.occurrences === undefined) return;
  const tooMany = tooManyValues(body, '');
  if (tooMany !== undefined) throw validationFailed(tooMany.errors);
  const read = createReportReader({
    findDevice: (id) => registry.findByExternalId(name, id),
    hasRoomFor: ({ id }, values) => registry.hasRoomFor(id, values),
    wallMs,
  });
  const reading = read(externalId, statedFrom({ values: body.values, occurrences: body.occurrences }), '');
  if ('errors' in reading) throw validationFailed(reading.errors);
  door.report(reading.report);
}

export function wrongProviderName(): HubError {
  return validationFailed([], 'The name must begin with a letter and have at most 32 of a-z, 0-9 and -.');
}
