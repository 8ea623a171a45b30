import * as z from 'zod/mini';
import { MATCHED_BY } from '#core/automation/registry/foreign-names.ts';
import { AUTOMATION_LIMITS } from '#core/automation/registry/automation-record.ts';
import { timeSchema } from '#http/answer/time-json.ts';
import { lostRightSchema } from '#http/automation/course-json.ts';
import {
  automationCreateSchema,
  automationReferenceSchema,
  shownDefinition,
  warningSchema,
} from '#http/automation/json.ts';
import { roomReferenceSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';

export const BUNDLE_FORMAT = 'hearthd-automations';

const KINDS = ['device', 'group', 'room', 'scene', 'automation', 'person', 'mode', 'variable', 'integration'] as const;

const exportedSchema = z.object({
  id: z.uuid(),
  selector: z.string(),
  name: z.string(),
  description: z.string(),
  room: z.nullable(roomReferenceSchema),
  labels: z.array(z.string()),
  ...shownDefinition,
  allow_sensitive: described('The sensitive devices that it may move.', z.array(z.record(z.string(), z.unknown()))),
});
export const automationBundleSchema = named(
  'AutomationBundle',
  described(
    'Automations with what another hub needs to find the things that they name: of devices the integration and its id for them.',
    z.object({
      format: described('Says that the file is an export of automations.', z.literal(BUNDLE_FORMAT)),
      exported_at: described('When it was exported.', timeSchema),
      automations: described('Each with what it does.', z.array(exportedSchema)),
      left_out: described(
        'Those whose document cannot be read any more. Absent where there are none.',
        z.optional(z.array(automationReferenceSchema)),
      ),
    }),
  ),
);

const { enabled: _enabled, note: _note, room: _room, ...taken } = automationCreateSchema.shape;
const shortText = z.string().check(z.minLength(1), z.maxLength(200));
const namedRoomSchema = named(
  'AutomationRoomName',
  z.object({
    id: described('The id in the other home.', shortText),
    selector: described('The selector in the other home, by which the room is looked for here.', z.optional(shortText)),
    name: described('The name in the other home, by which the room is looked for next.', z.optional(shortText)),
  }),
);
export const automationImportSchema = named(
  'AutomationImport',
  z.strictObject({
    format: described('Says that the file is an export of automations.', z.literal(BUNDLE_FORMAT)),
    exported_at: described('When it was exported; it is not looked at.', z.optional(z.string().check(z.maxLength(40)))),
    left_out: described('Of an export; it is not looked at.', z.optional(z.array(z.unknown()))),
    automations: described(
      'At most 500, each with what it does; they come in disabled.',
      z
        .array(
          z.strictObject({
            ...taken,
            id: described(
              'The id in the other home, by which `map` and references within the bundle name it.',
              z.optional(shortText),
            ),
            selector: described('The selector in the other home; it stays if it is free here.', z.optional(shortText)),
            room: described('Where no such room is, the automation has none.', z.optional(z.nullable(namedRoomSchema))),
          }),
        )
        .check(z.minLength(1), z.maxLength(AUTOMATION_LIMITS.automations)),
    ),
    map: described(
      'What to take in this home for what the bundle names: `{"device/<id in the bundle>": "<id or selector here>"}`.',
      z.optional(z.record(shortText, shortText)),
    ),
  }),
);
export type AutomationImport = z.infer<typeof automationImportSchema>;

const foreignSchema = {
  kind: described('What it is that the bundle names.', wordOf('ImportedKind', KINDS)),
  id: described('In the bundle.', z.string()),
  selector: z.nullable(z.string()),
  name: z.nullable(z.string()),
  integration: described(
    'Through which the device came in the other home; `null`: it is no device.',
    z.nullable(z.string()),
  ),
  external_id: described('Its address in its protocol; `null`: it is no device.', z.nullable(z.string())),
};
export const automationImportedSchema = named(
  'AutomationImported',
  z.object({
    automations: described(
      'What was made, or would be.',
      z.array(
        z.object({
          id: described('`null` while nothing is kept.', z.nullable(z.uuid())),
          selector: z.nullable(z.string()),
          name: z.string(),
          warnings: z.array(warningSchema),
        }),
      ),
    ),
    matched: described(
      'Things of the other hub that have another id here.',
      z.array(
        z.object({
          ...foreignSchema,
          target: described(
            'What takes its place in this home.',
            z.object({ id: z.string(), selector: z.string(), name: z.string() }),
          ),
          by: described('How it was found.', z.enum([...MATCHED_BY, 'map'])),
        }),
      ),
    ),
    unresolved: described(
      'What is not found here: `map` can say what to take.',
      z.array(z.object({ pointer: z.string(), ...foreignSchema })),
    ),
    rights_lost: described(
      'Rights that steps need and the caller lacks. With any of them, nothing is imported.',
      z.array(lostRightSchema),
    ),
  }),
);
