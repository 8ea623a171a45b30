import { type FaultWords, faultWords } from '#words/faults.ts';
import * as z from 'zod/mini';
import { type FieldError, fieldError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import {
  MAX_ACTIONS,
  MAX_COMMAND_LENGTH,
  type Notification,
  type NotificationAction,
} from '#core/notification/notification.ts';
import { type Caller, canCaller } from '#auth/caller.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import type { Device } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import { isSensitive } from '#core/device/sensitive.ts';
import type { Scene } from '#core/scene/scene.ts';
import { mayRequest } from '#http/command/give.ts';
import { insufficientScope } from '#http/rights/access.ts';
import { requireSensitive } from '#http/scene/shown.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import { targetedCommandSchema } from '#http/command/routes.ts';
import { described, named } from '#http/note/described.ts';

const actionSchema = z.strictObject({
  label: described('What stands on the button.', nameSchema),
  scene: described('Id or selector.', z.optional(z.string().check(z.minLength(1), z.maxLength(200)))),
  command: described(
    `The body of \`POST /api/v1/command\`, at most ${MAX_COMMAND_LENGTH} characters.`,
    z.optional(targetedCommandSchema),
  ),
});
export const askedActionsSchema = described(
  'Buttons: a scene or a command each. A client does it with the rights of the person who presses the button.',
  z.optional(z.array(actionSchema).check(z.maxLength(MAX_ACTIONS))),
);
export const notificationActionSchema = named(
  'NotificationAction',
  z.object({
    label: described('What stands on the button.', z.string()),
    scene: described('Id: press it with `POST /api/v1/scene/{id}/activate`.', z.nullable(z.string())),
    command: described(
      'Press it with `POST /api/v1/command`. It names devices and rooms by their ids.',
      z.nullable(z.record(z.string(), z.unknown())),
    ),
  }),
);

export type ActionReadDeps = {
  readonly findScene: (idOrSelector: string) => Scene | undefined;
  readonly findDevice: (idOrSelector: string) => Thing | undefined;
  readonly findRoom: (idOrSelector: string) => Thing | undefined;
};
type Thing = { readonly id: string };
type Asked = NonNullable<z.infer<typeof askedActionsSchema>>;

/**
 * The actions of a new notification. What a command sets is checked when somebody presses it: until then devices
 * change. Adds to `errors` what is wrong.
 */
export function readActions(
  asked: Asked,
  { findScene, findDevice, findRoom }: ActionReadDeps,
  errors: FieldError[],
): readonly NotificationAction[] {
  return asked.flatMap(({ label, scene: name, command }, index): readonly NotificationAction[] => {
    const pointer = `/actions/${index}`;
    const refuse = (at: string, ...words: FaultWords): void =>
      void errors.push(fieldError(pointer + at, 'INVALID_VALUE', ...words));
    if ((name === undefined) === (command === undefined)) {
      refuse('', ...faultWords('scene_or_command'));
      return [];
    }
    if (name !== undefined) {
      const scene = findScene(name);
      if (scene !== undefined) return [{ label, sceneId: scene.id }];
      refuse('/scene', ...faultWords('unknown_reference', { noun: 'scene' }));
      return [];
    }
    if (JSON.stringify(command).length > MAX_COMMAND_LENGTH) refuse('/command', ...faultWords('too_long'));
    const { targets, wishes = [] } = command ?? {};
    if (targets === undefined && wishes.length === 0) refuse('/command', ...faultWords('no_targets'));
    const named = command && withIds(command, { findDevice, findRoom, refuse });
    // The body was parsed as JSON, so each value is JSON.
    return [{ label, command: named as JsonObject }];
  });
}

type Naming = Pick<ActionReadDeps, 'findDevice' | 'findRoom'> & {
  readonly refuse: (at: string, ...words: FaultWords) => void;
};

/** People who get it need not see all that it is about: an id tells them less than a name, and outlives it. */
function withIds(
  command: z.infer<typeof targetedCommandSchema>,
  { findDevice, findRoom, refuse }: Naming,
): z.infer<typeof targetedCommandSchema> {
  const { targets, wishes } = command;
  const deviceAt = (name: string, at: string): string => {
    const found = findDevice(name);
    if (found === undefined) refuse(`/command/${at}`, ...faultWords('not_a_device'));
    return found?.id ?? name;
  };
  const roomOf = (name: string): string => {
    const found = findRoom(name);
    if (found === undefined) refuse('/command/targets/room', ...faultWords('no_room'));
    return found?.id ?? name;
  };
  return {
    ...command,
    ...(targets && {
      targets: {
        ...targets,
        ...(targets.devices && {
          devices: targets.devices.map((name, at) => deviceAt(name, `targets/devices/${at}`)),
        }),
        ...(targets.room !== undefined && { room: roomOf(targets.room) }),
      },
    }),
    ...(wishes && {
      wishes: wishes.map((wish, at) => ({ ...wish, device: deviceAt(wish.device, `wishes/${at}/device`) })),
    }),
  };
}

type Rights = {
  readonly findScene: (idOrSelector: string) => Scene | undefined;
  readonly registry: {
    readonly findDevice: (idOrSelector: string) => Device | undefined;
    readonly devices: () => readonly Device[];
  };
};

/**
 * A person presses what the label promises, with rights of their own. So a script offers nothing sensitive that it may
 * not do itself. Throws FORBIDDEN.
 */
export function requireOwnRights(actions: readonly NotificationAction[], caller: Caller, deps: Rights): void {
  const { registry } = deps;
  for (const action of actions) {
    const scene = 'sceneId' in action ? deps.findScene(action.sceneId) : undefined;
    if (scene !== undefined) requireSensitive(deps, caller, scene);
    if (!('command' in action)) continue;
    const { targets, wishes = [], set, do: done } = action.command as z.infer<typeof targetedCommandSchema>;
    const inRoom = registry.devices().filter(({ roomId }) => roomId !== null && roomId === targets?.room);
    const named = (targets?.devices ?? []).flatMap((id) => registry.findDevice(id) ?? []);
    const asked = [
      ...[...named, ...inRoom].map((device) => [device, { set, do: done }] as const),
      ...wishes.map((wish) => [registry.findDevice(wish.device), { set: wish.set, do: wish.do }] as const),
    ];
    for (const [device, request] of asked) {
      if (device === undefined) continue;
      const may =
        isGroup(device) && isSensitive(device) ? false : mayRequest(caller, device, request as CommandRequest);
      if (may || canCaller(caller, 'device:control_sensitive', { device })) continue;
      throw insufficientScope('device:control_sensitive', ` for ${device.selector}`);
    }
  }
}

export function actionsJson({ actions = [] }: Notification): z.infer<typeof notificationActionSchema>[] {
  return actions.map((action) => ({
    label: action.label,
    scene: 'sceneId' in action ? action.sceneId : null,
    command: 'command' in action ? action.command : null,
  }));
}
