import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { forEachStep } from '#core/automation/check/check-condition.ts';
import { DAYS } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import { limit } from '#words/limits.ts';
import { fillTemplate, inputsNamedIn } from './fill.ts';
import { valueFault } from './inputs.ts';
import { type Template, TEMPLATE_LIMITS, type TemplateInput } from './template.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

/** Finds the faults that a template of the right form has before somebody fills it in. */
export function refuseTemplate({ inputs, definition }: Template): readonly FieldError[] {
  const most = TEMPLATE_LIMITS.bytes;
  if (Buffer.byteLength(JSON.stringify(definition)) > most)
    return [fieldError('/definition', 'TOO_LONG', `must have at most ${most} bytes`, limit('most', { most }))];
  const named = new Set(inputsNamedIn(definition));
  const errors: FieldError[] = [];
  for (const name of named) {
    if (!Object.hasOwn(inputs, name))
      errors.push(fieldError('/definition', 'INVALID_VALUE', ...faultWords('input_not_there', { name })));
  }
  for (const [name, input] of Object.entries(inputs)) {
    const pointer = `/inputs/${name}`;
    if (!named.has(name)) errors.push(fieldError(pointer, 'INVALID_VALUE', ...faultWords('input_not_used')));
    const fault = defaultFault(input);
    if (fault !== undefined) errors.push(fieldError(`${pointer}/default`, 'INVALID_VALUE', ...fault));
  }
  if (errors.length > 0) return errors.slice(0, MAX_ERRORS);
  const faults = WAYS.flatMap((isWhole) => {
    const filled = filledForm({ inputs, definition }, isWhole);
    return filled === undefined
      ? [fieldError('/definition', 'TOO_LONG', ...faultWords('too_large_filled'))]
      : filled.errors.map((one) => ({ ...one, pointer: `/definition${one.pointer}` }));
  });
  const byPointer = new Map(faults.map((one) => [`${one.pointer} ${one.message}`, one]));
  return [...byPointer.values()].slice(0, MAX_ERRORS);
}

/** The kinds of steps that automations of the template can have. */
export function stepKindsOf(template: Pick<Template, 'inputs' | 'definition'>): readonly string[] {
  const found = new Set<string>();
  for (const isWhole of WAYS) {
    forEachStep(filledForm(template, isWhole)?.definition?.steps ?? [], (step) => {
      for (const word of Object.keys(step)) if (word !== 'id') found.add(word);
    });
  }
  return [...found].toSorted();
}

const MAX_ERRORS = 32;
/** With all of its inputs, and with none that it can do without. */
const WAYS = [true, false];

type Filled = { readonly definition: Definition | undefined; readonly errors: readonly FieldError[] };

/** The form of what comes of it, with examples in its holes; `undefined` if it grows beyond all bounds. */
function filledForm(
  { inputs, definition }: Pick<Template, 'inputs' | 'definition'>,
  isWhole: boolean,
): Filled | undefined {
  const values: Record<string, JsonValue> = {};
  for (const [name, input] of Object.entries(inputs)) {
    if (!isWhole && input.optional === true && input.default === undefined) continue;
    values[name] = exampleOf(input, isWhole);
  }
  const filled = fillTemplate(definition, values);
  return filled === undefined ? undefined : readDefinition(filled, (_kind, reference) => reference);
}

function exampleOf(input: TemplateInput, isWhole: boolean): JsonValue {
  const { default: usual } = input;
  switch (input.kind) {
    case 'device':
      return input.many === true ? [EXAMPLE] : EXAMPLE;
    case 'feature': {
      const feature: JsonObject = { device: EXAMPLE, key: input.capabilities[0] ?? EXAMPLE };
      return input.many === true ? [feature] : feature;
    }
    case 'number':
      return usual ?? input.min;
    case 'choice':
      return usual ?? input.options[0] ?? EXAMPLE;
    case 'boolean':
      return isWhole;
    case 'time':
      return usual ?? '06:45';
    case 'days':
      return usual ?? [DAYS[0]];
    case 'text':
      return usual ?? EXAMPLE;
    case 'room':
    case 'scene':
      break;
  }
  return EXAMPLE;
}

/** A selector that a thing of the home could have. */
const EXAMPLE = 'example';

/** A home has its own devices, rooms and scenes, so none of these is usual. */
function defaultFault(input: TemplateInput): FaultWords | undefined {
  const { kind, default: usual } = input;
  if (usual === undefined) return undefined;
  if (kind === 'device' || kind === 'feature' || kind === 'room' || kind === 'scene')
    return faultWords('default_of_home');
  return valueFault(input, usual);
}
