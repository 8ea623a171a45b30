import * as z from 'zod/mini';
import { PROBLEMS, requireThing } from '#base/hub-error.ts';
import type { ProblemCode } from '#base/hub-error.ts';
import { fieldErrorSchema, type Problem, problemType } from '#http/answer/problem.ts';
import { reasonSchema } from '#http/answer/reason-json.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';
import { described, named } from '#http/note/described.ts';

const kindSchema = named(
  'ProblemKind',
  z.object({
    type: described('Address of this explanation, as the `type` of a problem has it.', z.string()),
    code: z.string(),
    status: described('HTTP status of such an answer.', z.int()),
    title: described('What it means, in a few words.', z.string()),
    documentation: described('Page about it, for people.', z.string()),
  }),
);
type Kind = z.infer<typeof kindSchema>;

named(
  'Problem',
  described(
    'The body of every answer that is not a success (RFC 9457).',
    z.object({
      type: described('Address of the explanation of this kind of failure.', z.string()),
      title: described('What the code means, in a few words.', z.string()),
      status: described('HTTP status of this answer.', z.int()),
      detail: described('For people.', z.string()),
      instance: described('Path of the request.', z.string()),
      code: described(
        'For programs. A code never goes away and never changes its meaning; a client treats one that it does not know by `status`.',
        z.enum(Object.keys(PROBLEMS) as ProblemCode[]),
      ),
      request_id: described('Identifies the request in the log of the hub.', z.string()),
      errors: described(
        'A line for each fault of the request; only where the hub can say them.',
        z.optional(z.array(fieldErrorSchema)),
      ),
      reason: described('The limit that `detail` names.', z.optional(reasonSchema)),
    }) satisfies z.ZodMiniType<Omit<Problem, 'errors' | 'reason'>>,
  ),
);

/** The published list of failures, to which the `type` of a problem points. */
export function problemsRoutes(): readonly Route[] {
  const kinds: readonly Kind[] = (Object.keys(PROBLEMS) as ProblemCode[]).map((code) => {
    const [status, title] = PROBLEMS[code];
    const type = problemType(code);
    return { type, code, status, title, documentation: `/docs#${type.slice(1).replace('/', '-')}` };
  });
  const byType = new Map(kinds.map((kind) => [kind.type, kind]));
  return [
    defineRoute({
      id: 'listProblemKinds',
      method: 'GET',
      path: '/problems',
      summary: 'List every kind of failure',
      tag: 'Reference',
      note: () => ({ description: 'The `code` and `type` of every problem that an answer of the hub can have.' }),
      access: 'public',
      answers: { 200: z.array(kindSchema) },
      handle: () => ({ status: 200, json: kinds }),
    }),
    defineRoute({
      id: 'getProblemKind',
      method: 'GET',
      path: '/problems/:code',
      summary: 'Show one kind of failure',
      tag: 'Reference',
      note: () => ({
        description: 'The explanation to which the `type` of a problem leads.',
      }),
      access: 'public',
      answers: { 200: kindSchema },
      handle: ({ params }) => {
        const kind = requireThing(byType.get(`/problems/${params['code'] ?? ''}`), 'kind of failure');
        return { status: 200, json: kind };
      },
    }),
  ];
}
