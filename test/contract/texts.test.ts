import { expect, test } from 'vitest';
import { readContract } from '#test/support/daemon/contract-check.ts';

/** Fields that have English for people. */
const TEXTS = ['message', 'sentence', 'title', 'detail'];
/** Beside them, what other languages find their own words by. */
const IDS = ['reason', 'code'];

/** Objects whose text has no such field, each with the reason. */
const OTHERS: Readonly<Record<string, string>> = {
  AuditEntry: 'its detail is no sentence, and its type says what happened',
  HealthClock: 'its source says the same',
  IntegrationSetupStepOption: 'the step and the id of the option name it',
  NotificationCreate: 'people and programs write it',
  NotifyStep: 'people write it',
};

/** The paths of objects with a text and without an id for it. */
function bareTexts(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const isBare = TEXTS.some((name) => name in properties) && !IDS.some((name) => name in properties);
  const below = Object.entries(schema).flatMap(([name, part]) =>
    bareTexts(part, name === 'properties' ? path : `${path}/${name}`),
  );
  return [...(isBare ? [path] : []), ...below];
}

test('each English text of the hub has the id beside it by which other languages find their words', () => {
  const { components } = readContract() as { readonly components: { readonly schemas: object } };
  const bare = Object.entries(components.schemas).flatMap(([name, schema]) => bareTexts(schema, name));
  expect([...new Set(bare)].toSorted()).toEqual(Object.keys(OTHERS).toSorted());
});

test('what is wrong with a field, and each warning, always have one', () => {
  const { components } = readContract() as {
    readonly components: { readonly schemas: Readonly<Record<string, { readonly required?: readonly string[] }>> };
  };
  for (const name of ['FieldError', 'AutomationWarning']) {
    expect(components.schemas[name]?.required).toContain('reason');
  }
});

test('a text alone is found, and one with an id is not', () => {
  const text = { properties: { message: { type: 'string' } } };
  expect(bareTexts({ properties: { error: text } }, 'A')).toEqual(['A/error']);
  expect(bareTexts({ properties: { ...text.properties, code: {} } }, 'A')).toEqual([]);
});
