import * as z from 'zod/mini';
import { BUILT_IN_KINDS, type BuiltInKind } from '#core/notification/notification.ts';
import type { BuiltIns } from '#core/notification/built-ins.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { requireTag, tagOf } from '#http/answer/entity-tag.ts';
import { described, named } from '#http/note/described.ts';
import { defineRoute, mergePatchBody, type Route } from '#http/routing/route.ts';
import * as notes from './notes.ts';

const WORDS: Readonly<Record<BuiltInKind, string>> = {
  water: 'A sensor reports water.',
  smoke: 'A detector reports smoke.',
  carbon_monoxide: 'A detector reports carbon monoxide.',
  gas: 'A detector reports gas.',
  lock_jammed: 'A lock says that its bolt is stuck.',
  battery_low: 'A battery has 15 % or less, or its device says so; over at 25 % or an hour after the device says so.',
  device_offline: 'A device has been offline for a day.',
  integration_down: 'An integration has not been connected for five minutes.',
  backup_failed: 'The last backup failed.',
  disk_nearly_full: 'Less than 5 % of the disk, and less than 1 GiB, is free.',
  history_paused: 'Values are not recorded, because the disk takes no writes or a device reports too much.',
};

const shapeOf = <Each extends z.ZodMiniType>(make: (words: string) => Each) =>
  Object.fromEntries(BUILT_IN_KINDS.map((kind) => [kind, make(WORDS[kind])])) as Record<BuiltInKind, Each>;

const notificationSettingsSchema = named(
  'NotificationSettings',
  z.object({
    built_in: described(
      'What the hub notices by itself: `true` where it tells people.',
      z.object(shapeOf((words) => described(words, z.boolean()))),
    ),
  }),
);
const notificationSettingsUpdateSchema = named(
  'NotificationSettingsUpdate',
  z.strictObject({
    built_in: described(
      'What the hub notices by itself: `true` where it shall tell people; what is absent stays.',
      z.optional(z.strictObject(shapeOf((words) => described(words, z.optional(z.boolean()))))),
    ),
  }),
);

const PATH = '/api/v1/notification/settings';

/** Which of the notifications that the hub makes by itself people want. */
export function notificationSettingsRoutes({
  builtIns,
}: {
  readonly builtIns: Pick<BuiltIns, 'switches' | 'change'>;
}): readonly Route[] {
  return [
    defineRoute({
      id: 'getNotificationSettings',
      method: 'GET',
      path: PATH,
      summary: 'Show what the hub notices by itself',
      tag: 'Notification',
      note: notes.getNotificationSettings,
      access: 'notification:read',
      place: 'home',
      answers: { 200: notificationSettingsSchema },
      handle: () => show(builtIns.switches()),
    }),
    defineRoute({
      id: 'updateNotificationSettings',
      method: 'PATCH',
      path: PATH,
      summary: 'Switch what the hub notices by itself on or off',
      tag: 'Notification',
      note: notes.updateNotificationSettings,
      access: 'notification:manage',
      sessionOnly: true,
      body: mergePatchBody(notificationSettingsUpdateSchema),
      answers: { 200: notificationSettingsSchema },
      audit: 'notification.changed',
      handle: async ({ body, header, authorize }) => {
        const { built_in: asked = {} } = body;
        const change = Object.fromEntries(Object.entries(asked).filter(([, isOn]) => isOn !== undefined));
        const allow = (): void => {
          authorize();
          requireTag(header('if-match'), tagOf(builtIns.switches()));
        };
        const switches = await builtIns.change(change, { authorize: allow });
        const detail = Object.entries(change).map(([kind, isOn]) => `${kind} ${isOn ? 'on' : 'off'}`);
        return { ...show(switches), auditDetail: detail.join(', ') };
      },
    }),
  ];
}

function show(switches: Readonly<Record<BuiltInKind, boolean>>): RouteAnswer {
  return { status: 200, json: { built_in: switches }, headers: { ETag: tagOf(switches) } };
}
