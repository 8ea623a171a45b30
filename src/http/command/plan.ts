import * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import type { HubError } from '#base/hub-error.ts';
import type { CommandResult } from '#core/command/command.ts';
import { readRequest } from '#core/command/command-request.ts';
import type { CommandRequests } from '#core/command/command-terms.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import { described, named } from '#http/note/described.ts';

/** The query of the calls that command. */
export const dryRunQuerySchema = z.strictObject({
  dry_run: described(
    'Sends nothing: the answer is a `CommandPlan` of what the same call would do now, or its refusal.',
    z.optional(z.boolean()),
  ),
});

export const commandPlanSchema = named(
  'CommandPlan',
  described(
    'What a command would do. Nothing was sent, and nothing is kept of it.',
    z.object({
      values: described(
        'What would be sent, in this order.',
        z.array(
          named(
            'PlannedValue',
            z.object({
              device: described('Selector.', z.string()),
              key: described('Of the feature, or of the action.', z.string()),
              from: described(
                'The value now; `null` if nobody knows it, the caller may not read it, or for an action.',
                z.unknown(),
              ),
              to: described('The value that would be sent; `null` for an action.', z.unknown()),
              reachable: described('Whether the hub could send it now.', z.boolean()),
              needs: described('The right that the caller lacks for it; `null` if none.', z.nullable(z.string())),
            }),
          ),
        ),
      ),
      skipped: described(
        'What would not be sent, such as what the devices of a scene show already.',
        z.array(
          named(
            'SkippedTarget',
            z.object({
              device: described('Selector, also of a device that is gone.', z.string()),
              key: described('Of the feature.', z.string()),
              reason: described('Why, for people.', z.string()),
            }),
          ),
        ),
      ),
    }),
  ),
);

type Planned = {
  readonly requests: CommandRequests;
  readonly settled: readonly CommandResult[];
  readonly unreachable: ReadonlyMap<DeviceId, HubError>;
  /** Whether the caller lacks the right for what is asked of the device. */
  readonly isTooSensitive: (device: Device) => boolean;
};

/** The answer to a command that is only tried. */
export function planAnswer({ requests, settled, unreachable, isTooSensitive }: Planned, caller: Caller): RouteAnswer {
  const values = [...requests].flatMap(([device, one]) => {
    const reading = readRequest(device, one);
    if (!('request' in reading)) return [];
    const { set, action } = reading.request;
    const maySee = canCaller(caller, 'device:read', { device });
    const common = {
      device: device.selector,
      reachable: !unreachable.has(device.id),
      needs: isTooSensitive(device) ? 'device:control_sensitive' : null,
    };
    const settings = [...set].map(([key, to]) => ({
      ...common,
      key,
      from: maySee ? (device.states.get(key)?.value ?? null) : null,
      to,
    }));
    return action === null ? settings : [...settings, { ...common, key: action, from: null, to: null }];
  });
  const json: z.infer<typeof commandPlanSchema> = {
    values,
    skipped: settled.map(skippedJson),
  };
  return { status: 200, json };
}

/** The selector is that of the device even if it is gone. */
function skippedJson({ selector, feature, reason }: CommandResult) {
  return { device: selector, key: feature.key, reason: reason ?? '' };
}
