import type { HubError } from '#base/hub-error.ts';
import { refuseMalformed } from '#http/guards/malformed-guard.ts';
import type { ProblemAnswer } from './problem.ts';
import { problemAnswer } from './problem.ts';
import type { Guard, RequestFacts } from './request-facts.ts';
import { pathOfTarget } from './request-facts.ts';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';
import type { RouterDeps, RouterEnv } from './router.ts';

export type AppDeps = RouterDeps & {
  /** What the network allows, in order: peer, host, forwarded fields, origin. */
  readonly networkGuards: readonly Guard[];
  readonly routes: readonly Route[];
};

export type App = {
  /** Why a request is refused before any routing, ready to send; looked at before `fetch`. */
  readonly refuse: (facts: RequestFacts) => ProblemAnswer | undefined;
  readonly fetch: (request: Request, env?: RouterEnv['Bindings']) => Response | Promise<Response>;
  /** The answer of a failure outside of any request that could be read. */
  readonly problem: (error: HubError) => ProblemAnswer;
};

/** The whole API: each guard in its order, then each route. */
export function createApp(deps: AppDeps): App {
  const guards: readonly Guard[] = [...deps.networkGuards, refuseMalformed];
  const router = createRouter(deps, deps.routes);
  return {
    refuse: (facts) => {
      for (const guard of guards) {
        const error = guard(facts);
        if (error === undefined) continue;
        const answer = problemAnswer(error, pathOfTarget(facts.target), deps.newRequestId());
        return { ...answer, headers: { ...answer.headers, ...deps.cors.answerHeaders(facts) } };
      }
      return undefined;
    },
    fetch: (request, env) => router.fetch(request, env),
    problem: (error) => problemAnswer(error, '/', deps.newRequestId()),
  };
}
