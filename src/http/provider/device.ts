import type { z } from 'zod/mini';
import { createWorkSlices } from '#base/work-slices.ts';
import { type FieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { Device } from '#core/device/device.ts';
import { type DeclaredDevice, type DeclaredFeature, readDeclaration } from '#core/provider/device-declaration.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { declaredDeviceSchema, declaredFeatureSchema, providedDeviceSchema, readForm } from './json.ts';
import type { ProviderRoutesDeps } from './directory.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/provider/:name/device/:external_id';
/** It is a part of a path, and people see it. */
const EXTERNAL_ID = /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}$/;
const MAX_BODY_BYTES = 64 * 1024;
const MAX_MEMBERS = 16_384;

type Deps = Pick<ProviderRoutesDeps, 'providers' | 'registry' | 'monotonicMs'>;

/** Declaring the devices of a script. */
export function declaredDeviceRoutes({ providers, registry, monotonicMs }: Deps): readonly Route[] {
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
      audit: { unaudited: 'devices come and go as their integration reports them' },
      handle: async ({ params, body, authorize }) => {
        const externalId = params['external_id'] ?? '';
        if (!EXTERNAL_ID.test(externalId))
          throw validationFailed([], 'The external id must have at most 128 of A-Z, a-z, 0-9 and . _ : @ -.');
        const reading = await readDeclaration(await declarationFrom(externalId, body, monotonicMs), monotonicMs);
        authorize();
        const door = providers.doorOf(params['name'] ?? '');
        door.renew();
        if ('errors' in reading) throw validationFailed(reading.errors);
        const isNew = find(params) === undefined;
        const isTaken = await door.describeDevice(reading.device);
        authorize();
        const device = find(params);
        if (!isTaken || device === undefined)
          throw new HubError('LIMIT_REACHED', 'The home has no room for this device: the integration says why.');
        const { id, selector } = device;
        return { status: isNew ? 201 : 200, json: { id, selector, external_id: externalId } };
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
        const device = find(params);
        if (device === undefined) throw new HubError('NOT_FOUND', 'There is no such device.');
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
      const { value_type: valueType, ...feature } = form.value;
      features.push({ ...feature, valueType });
    }
    if (errors.length >= MAX_ERRORS) break;
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  if (errors.length > 0) throw validationFailed(errors.slice(0, MAX_ERRORS));
  const staleAfterMs = staleAfterS === null ? null : staleAfterS * 1_000;
  return { externalId, name, type, manufacturer, model, firmware, staleAfterMs, features };
}
