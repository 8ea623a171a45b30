import { join } from 'node:path';
import { PLACE_SCOPES, SCOPES_OF_ROLE } from '#auth/scope.ts';
import { DAYS } from '#core/automation/document/condition.ts';
import { COMMAND_STATUSES, isFinished } from '#core/command/command.ts';
import { SENSITIVE } from '#core/device/sensitive.ts';
import { PERIODS } from '#core/energy/period.ts';
import { PRICED_FLOWS, TARIFF_KINDS, WEEKDAYS } from '#core/energy/settings.ts';
import { EXPORTER_TYPES } from '#core/exporter/exporter.ts';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { SEVERITIES } from '#core/notification/notification.ts';
import { RECORDING_MODES } from '#core/past/history/recording-settings.ts';
import { ROLES } from '#core/person/user.ts';
import { MAX_SERIES } from '#http/history/query.ts';
import type { OpenApiDocument } from '#http/reference/openapi.ts';
import { constantsOf } from './written.ts';

export const VOCABULARY_PATH = join(import.meta.dirname, '../../../../src/web/client/vocabulary.ts');

const HEAD = '// Made from the tables of the hub by `npm run openapi`. Do not edit.\n';

/** What the page lists or compares and the hub decides. */
export function vocabulary({ components }: OpenApiDocument): string {
  const schemas = components.schemas as unknown as Readonly<Record<string, Schema>>;
  /** The greatest length that the document gives for a member of a body. */
  const lengthOf = (schema: string, member: string): number => {
    const { maxLength } = schemas[schema]?.properties?.[member] ?? {};
    if (maxLength === undefined) throw new Error(`${schema} has no greatest length of ${member}`);
    return maxLength;
  };
  const wordsWith = (history: 'counter' | 'none'): readonly string[] =>
    Object.entries(VOCABULARY).flatMap(([word, entry]) => (entry.history === history ? [word] : []));
  return `${HEAD}\n${constantsOf({
    ROLES,
    RIGHTS_OF_ROLE: Object.fromEntries(ROLES.map((role) => [role, [...SCOPES_OF_ROLE[role]]])),
    PLACE_RIGHTS: [...PLACE_SCOPES],
    SENSITIVE,
    COUNTERS: wordsWith('counter'),
    UNRECORDED: wordsWith('none'),
    FINAL_STATUSES: COMMAND_STATUSES.filter((status) => isFinished({ status })),
    SEVERITIES,
    RECORDING_MODES,
    EXPORTER_TYPES,
    PERIODS,
    DAYS,
    WEEKDAYS,
    PRICED_FLOWS,
    TARIFF_KINDS,
    LIMITS: {
      name: lengthOf('RoomCreate', 'name'),
      email: lengthOf('UserCreate', 'email'),
      leastPassword: schemas['UserCreate']?.properties?.['password']?.minLength,
      note: lengthOf('AutomationCreate', 'note'),
      description: lengthOf('AutomationCreate', 'description'),
      url: lengthOf('WebhookCreate', 'url'),
      series: MAX_SERIES,
    },
  })}`;
}

type Schema = {
  readonly properties?: Readonly<Record<string, { readonly maxLength?: number; readonly minLength?: number }>>;
};
