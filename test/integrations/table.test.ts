import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isOptionKey } from '#config/option-table.ts';
import { checkFields, defaultOf, FORM_ONLY } from '#core/integration/settings-check.ts';
import type { IntegrationKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { KINDS } from '#integrations/table.ts';
import { searchOf } from '#test/support/machine/runs.ts';

const ids = KINDS.map(({ id }) => id);

test('no two kinds have the same id, also as the id of their first instance', () => {
  const all = KINDS.flatMap(({ id, firstId }) => (firstId === undefined ? [id] : [id, firstId]));
  expect(new Set(all).size).toBe(all.length);
});

describe.each(KINDS.map((kind) => [kind.id, kind] as const))('the kind %s', (_id, kind) => {
  const fields = Object.entries(kind.settings);

  test('says what it is, under an id that fits into paths and names of files', () => {
    expect(kind.id).toMatch(/^[a-z][a-z0-9_]{0,40}$/);
    expect(kind.firstId ?? kind.id).toMatch(/^[a-z][a-z0-9_-]{0,40}$/);
    expect(kind.name).toMatch(/^\S.{0,38}\S$/);
    expect(kind.about).toMatch(/^[A-Z].{10,150}\.$/);
    expect(kind.settingsVersion).toBeGreaterThanOrEqual(1);
    expect(kind.settingsVersion === 1 || kind.upgradeSettings !== undefined).toBe(true);
  });

  test('has a label for each setting, and hints that are sentences or examples', () => {
    for (const [key, field] of fields) {
      expect(key).toMatch(/^[a-z][a-z0-9_]{0,40}$/);
      expect([key, field.label]).toEqual([key, expect.stringMatching(/^[A-Z].{0,80}$/)]);
      expect([key, field.hint ?? 'An example']).toEqual([key, expect.stringMatching(/^\S.{3,160}$/)]);
    }
  });

  test('has defaults that it would take from a person, and choices that differ', () => {
    const defaults = Object.fromEntries(fields.map(([key, field]) => [key, defaultOf(field)]));
    const given = Object.fromEntries(Object.entries(defaults).filter(([, value]) => value !== null));
    const { values, errors } = checkFields(kind.settings, given, { rules: FORM_ONLY });
    expect(errors).toEqual([]);
    expect(values).toEqual(given);
    const choices = fields.flatMap(([, field]) => (field.type === 'choice' ? [field.options.map(({ id }) => id)] : []));
    for (const options of choices) expect(new Set(options).size).toBe(options.length);
    // A default for what is bound to another field, or for a secret, would be the same in every home.
    expect(fields.filter(([, field]) => field.type === 'secret' && 'default' in field)).toEqual([]);
  });

  test('binds each secret to one of its other settings, and links to kinds that exist', () => {
    for (const [key, field] of fields) {
      const bound = field.type === 'secret' ? kind.settings[field.boundTo]?.type : 'no secret';
      expect([key, bound]).not.toEqual([key, undefined]);
      expect([key, bound]).not.toEqual([key, 'secret']);
      expect(ids).toContain(field.type === 'link' ? field.kind : kind.id);
    }
  });

  test('is fixed by options that exist, for settings that it has', () => {
    for (const [field, key] of Object.entries(kind.config ?? {})) {
      expect([...fields.map(([name]) => name), 'enabled']).toContain(field);
      expect([field, isOptionKey(key ?? '')]).toEqual([field, true]);
    }
  });

  test('has code that loads', async () => {
    expect(typeof (await kind.load()).create).toBe('function');
  });

  test('takes no discovered thing that its own settings would refuse, whatever a stranger announces', () => {
    const { discovery } = kind;
    for (const type of discovery?.mdns ?? []) expect(type).toMatch(/^_[a-z0-9-]{1,15}\._(?:tcp|udp)$/);
    fc.assert(
      fc.property(serviceOf(kind), (service) => {
        const found = discovery?.identify(service);
        if (found === undefined) return;
        const { secrets, errors } = checkFields(kind.settings, found.settings, { rules: FORM_ONLY });
        expect(secrets).toEqual({});
        expect(errors.filter(({ code }) => code === 'UNKNOWN')).toEqual([]);
        expect(found.uniqueId === null || (found.uniqueId.length > 0 && found.uniqueId.length <= 256)).toBe(true);
      }),
      searchOf(2_000),
    );
  });
});

/** Announced by anybody: with the keys that this kind reads, and with texts of any kind. */
function serviceOf(kind: IntegrationKind): fc.Arbitrary<MdnsService> {
  const source = kind.discovery?.identify.toString() ?? '';
  const known = [...source.matchAll(/txt(?:\.|\[['"])(\w+)/g)].map((match) => match[1] ?? '');
  const key = fc.oneof(fc.constantFrom('id', 'bridgeid', ...known), fc.string({ maxLength: 12 }));
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(/^[0-9A-Fa-f]{12,16}$/),
    fc.constantFrom('__proto__', '<b>', ''),
  );
  return fc.record({
    name: fc.string({ maxLength: 63 }),
    type: fc.constantFrom(...(kind.discovery?.mdns ?? []), '_none._tcp'),
    host: fc.oneof(fc.domain(), fc.string()),
    port: fc.nat(65_535),
    addresses: fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 3 }),
    txt: fc.dictionary(key, text),
  });
}

/** Kinds to which the contract of integrations does not apply, each with the reason. */
const WITHOUT_CONTRACT: Readonly<Record<string, string>> = {
  mqtt: 'has no devices: those that speak through it have',
  matter_bridge: 'has no devices: others take it in, with what the home has: test/e2e/matter',
  provider: 'its other end calls the hub, so that there is no link to break: test/http/provider',
};

test.each(ids.filter((id) => !Object.hasOwn(WITHOUT_CONTRACT, id)))(
  'the contract of integrations is run for %s',
  (id) => {
    const folder = join(import.meta.dirname, id.replaceAll('_', '-'));
    const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(test|real)\.ts$/.test(name)) : [];
    const texts = files.map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts.some((text) => text.includes('describeIntegrationContract('))).toBe(true);
  },
);
