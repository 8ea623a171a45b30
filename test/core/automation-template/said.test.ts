import { expect, test } from 'vitest';
import { isJsonObject, type JsonValue } from '#base/json.ts';
import { SHIPPED_TEMPLATES } from '#core/automation-template/shipped/shipped-templates.ts';
import { saidIn } from '#core/automation-template/shipped/worded.ts';
import { templateMessagesIn } from '#notify/channel-message.ts';

/** All texts of notifications in a definition, with those that are joined to names. */
function told(node: JsonValue, isText = false): readonly string[] {
  if (typeof node === 'string') return isText ? [node] : [];
  if (Array.isArray(node)) return node.flatMap((item: JsonValue) => told(item, isText));
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([name, item]) => {
    if (name === 'input') return [];
    return told(item, name === 'title' || name === 'text' || (isText && name === 'join'));
  });
}

test.each(['de', 'fr', 'es', 'de-AT'])('templates of the hub tell everything in the language %s', (language) => {
  const english = SHIPPED_TEMPLATES.flatMap(({ definition }) => told(definition));
  const own = SHIPPED_TEMPLATES.flatMap((template) => told(saidIn(templateMessagesIn(language), template).definition));
  expect(english.length).toBeGreaterThan(10);
  expect(own).toHaveLength(english.length);
  expect(own.filter((text, at) => text === english[at])).toEqual([]);
  // What is filled in when it runs is the same.
  const holes = (texts: readonly string[]) => texts.map((text) => text.match(/\{[^}]*\}/g) ?? []);
  expect(holes(own)).toEqual(holes(english));
});

test.each([null, 'en', 'nl'])('in %s they stay as they are', (language) => {
  for (const template of SHIPPED_TEMPLATES) expect(saidIn(templateMessagesIn(language), template)).toEqual(template);
});
