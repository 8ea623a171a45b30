import { described } from '#http/note/described.ts';
import * as z from 'zod/mini';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { refuseTemplate } from '#core/automation-template/template-faults.ts';
import { type Template, TEMPLATE_LIMITS, type TemplateInput } from '#core/automation-template/template.ts';
import type { TemplateRegistry } from '#core/automation-template/template-registry.ts';
import type { Device } from '#core/device/device.ts';
import { type AutomationRoutesDeps, documentBody } from '#http/automation/shown.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { limit } from '#words/limits.ts';
import { type InputWish, templateJson, templateSchema, type TemplateWish, templateWishSchema } from './json.ts';
import * as notes from './notes.ts';
import { faultWords } from '#words/faults.ts';

export type OwnTemplateRoutesDeps = Pick<AutomationRoutesDeps, 'automations'> & {
  readonly registry: { readonly devices: () => readonly Device[] };
  readonly templates: TemplateRegistry;
};

export const PATH = '/api/v1/automation_template';

/** Templates that people bring along. */
export function ownTemplateRoutes(deps: OwnTemplateRoutesDeps): readonly Route[] {
  return [importRoute(deps), removeRoute(deps)];
}

function importRoute({ templates, registry, automations }: OwnTemplateRoutesDeps): Route {
  return defineRoute({
    id: 'importAutomationTemplate',
    method: 'POST',
    path: PATH,
    summary: 'Import a template of automations',
    tag: 'Automation',
    note: notes.importAutomationTemplate,
    access: 'automation:manage',
    place: 'home',
    query: z.object({
      dry_run: described('`true`: keeps nothing, and says whether the template is right.', z.optional(z.boolean())),
    }),
    body: documentBody(templateWishSchema),
    answers: { 200: templateSchema, 201: templateSchema },
    audit: (request, { auditDetail }) =>
      request.query.dry_run === true ? undefined : { type: 'automation.changed', detail: auditDetail },
    handle: async ({ body, query, authorize }) => {
      const template = templateIn(body);
      const { SHIPPED_TEMPLATES } = await import('#core/automation-template/shipped/shipped-templates.ts');
      const isShipped = templates.find(template.id) === undefined && SHIPPED_TEMPLATES.some(({ id }) => id === body.id);
      if (isShipped) throw new HubError('NAME_TAKEN', 'A template that comes with the hub has this id.', TAKEN);
      authorize();
      const json = (): z.infer<typeof templateSchema> =>
        templateJson({ template, isBuiltIn: false }, registry.devices(), automations.automations());
      if (query.dry_run === true) return { status: 200, json: json() };
      const { isNew } = await templates.put(template, { authorize: () => void authorize() });
      const auditDetail = `template ${template.id} ${template.version}`;
      if (!isNew) return { status: 200, json: json(), auditDetail };
      return { status: 201, json: json(), headers: { Location: `${PATH}/${template.id}` }, auditDetail };
    },
  });
}

const TAKEN = { errors: [fieldError('/id', 'INVALID_VALUE', ...faultWords('template_of_hub'))] };

function removeRoute({ templates }: OwnTemplateRoutesDeps): Route {
  return defineRoute({
    id: 'removeAutomationTemplate',
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Remove a template that was imported',
    tag: 'Automation',
    note: notes.removeAutomationTemplate,
    access: 'automation:manage',
    place: 'home',
    answers: { 204: null },
    audit: (_request, { auditDetail }) => ({ type: 'automation.changed', detail: auditDetail }),
    handle: async ({ params, authorize }) => {
      const id = params['id'] ?? '';
      if (templates.find(id) === undefined) {
        const { SHIPPED_TEMPLATES } = await import('#core/automation-template/shipped/shipped-templates.ts');
        if (SHIPPED_TEMPLATES.some((shipped) => shipped.id === id))
          throw new HubError('NOT_SUPPORTED', 'This template comes with the hub.');
        throw new HubError('NOT_FOUND', 'There is no such template.');
      }
      await templates.remove(id, { authorize: () => void authorize() });
      return { status: 204, auditDetail: `template ${id} removed` };
    },
  });
}

/** Throws HubError VALIDATION_FAILED with all that is wrong. */
function templateIn({ id, version, name, description = '', inputs: wished = {}, definition }: TemplateWish): Template {
  const errors: FieldError[] = [];
  const names = Object.keys(wished);
  const most = TEMPLATE_LIMITS.inputs;
  if (names.length > most)
    errors.push(fieldError('/inputs', 'TOO_LONG', `must have at most ${most}`, limit('most', { most })));
  const inputs: Record<string, TemplateInput> = {};
  for (const one of names) {
    const wish = wished[one];
    const input = wish && inputIn(wish, `/inputs/${one}`, errors);
    if (input !== undefined) inputs[one] = input;
  }
  // The body was parsed as JSON.
  const template = { id, version, name, description, inputs, definition: definition as JsonObject };
  if (errors.length === 0) errors.push(...refuseTemplate(template));
  if (errors.length > 0) throw validationFailed(errors);
  return template;
}

type Member = Exclude<keyof InputWish, 'label' | 'hint' | 'kind' | 'optional' | 'default' | 'fits'>;
const MEMBERS: Readonly<Partial<Record<InputWish['kind'], readonly Member[]>>> = {
  device: ['capability', 'writable', 'type', 'light', 'many'],
  feature: ['capabilities', 'many'],
  number: ['min', 'max', 'unit'],
  choice: ['options'],
};
const REQUIRED: ReadonlySet<Member> = new Set<Member>(['capability', 'capabilities', 'min', 'max', 'options']);

/** An input with the members of its kind and no others; what is `false` is left out, as in those of the hub. */
function inputIn(wish: InputWish, pointer: string, errors: FieldError[]): TemplateInput | undefined {
  const { label, hint, kind, optional, default: usual, fits: _fits, ...rest } = wish;
  const before = errors.length;
  const members = MEMBERS[kind] ?? [];
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined && !members.some((one) => one === name))
      errors.push(fieldError(`${pointer}/${name}`, 'UNKNOWN', ...faultWords('member_of_other_kind', { kind })));
  }
  for (const name of members) {
    if (REQUIRED.has(name) && rest[name] === undefined)
      errors.push(fieldError(`${pointer}/${name}`, 'REQUIRED', ...faultWords('required')));
  }
  if (rest.min !== undefined && rest.max !== undefined && rest.min > rest.max)
    errors.push(fieldError(`${pointer}/min`, 'OUT_OF_RANGE', ...faultWords('more_than_max')));
  if (errors.length > before) return undefined;
  const given: Record<string, JsonValue> = { label, kind };
  const others = { hint, optional, default: usual as JsonValue | undefined, ...rest };
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && (value !== false || name === 'default')) given[name] = value;
  }
  // Its members are those of its kind.
  return given as unknown as TemplateInput;
}
