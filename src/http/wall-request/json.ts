import * as z from 'zod/mini';
import { PLACE_SCOPES, WALL_IF_POSSIBLE, WALL_RIGHTS, type WallRights } from '#auth/scope.ts';
import type { WallRequest } from '#auth/token/wall-requests.ts';
import { type Caller, canCaller } from '#auth/caller.ts';
import { nameSchema } from '#http/answer/name-schema.ts';
import type { apiTokenCreateSchema } from '#http/api-token/json.ts';
import { described, named, wordOf } from '#http/note/described.ts';

const RIGHTS = Object.keys(WALL_RIGHTS) as WallRights[];

export const wallRequestCreateSchema = named(
  'WallRequestCreate',
  z.strictObject({ name: described('What people should call the screen, such as `Kitchen tablet`.', nameSchema) }),
);

export const wallRequestSchema = named(
  'WallRequest',
  z.object({
    id: z.uuid(),
    secret: described('For the header `Hearthd-Wall`. Only this answer shows it.', z.string()),
    code: described('Six digits for the screen to show.', z.string()),
    expires_in: described('Seconds until it ends.', z.int()),
  }),
);

export const wallRequestStateSchema = named(
  'WallRequestState',
  z.object({
    state: described(
      'It is `open` until a person answers. `allowed` comes with the token, once; it is `handed_over` from then on.',
      wordOf('WallRequestStateName', ['open', 'allowed', 'handed_over', 'refused']),
    ),
    token: described('The API token of the screen, only with `allowed`.', z.optional(z.string())),
  }),
);

export const wallQuestionSchema = named(
  'WallQuestion',
  z.object({
    name: described('As the screen calls itself; anybody can have typed it.', z.string()),
    address: described('Socket address of the screen.', z.string()),
    expires_in: described('Seconds until it ends.', z.int()),
  }),
);

export const wallQuerySchema = z.strictObject({
  code: described('The six digits that the screen shows.', z.string().check(z.maxLength(100))),
});

export const wallAllowSchema = named(
  'WallRequestAllow',
  z.strictObject({
    rooms: described(
      'Ids or selectors of the rooms that it shows; `null` for the whole home.',
      z.nullable(z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(100))),
    ),
    rights: described('To `see`, or to `control` as well; only `doors` opens doors.', wordOf('WallRights', RIGHTS)),
    name: described('What you call the screen; by default as it calls itself.', z.optional(nameSchema)),
  }),
);

/**
 * Words what a caller allows as a caller asks for any API token. It leaves out what the screen can do without, where the
 * caller has no right to it.
 */
export function wantedToken(
  { rooms, rights, name }: z.infer<typeof wallAllowSchema>,
  asked: WallRequest,
  caller: Caller,
): z.infer<typeof apiTokenCreateSchema> {
  const isPossible = (scope: (typeof WALL_RIGHTS)[WallRights][number]): boolean =>
    canCaller(caller, scope) && (rooms === null || PLACE_SCOPES.has(scope));
  const scopes = WALL_RIGHTS[rights].filter((scope) => !WALL_IF_POSSIBLE.has(scope) || isPossible(scope));
  return { name: name ?? asked.name, scopes, rooms };
}
