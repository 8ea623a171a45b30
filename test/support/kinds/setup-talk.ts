import type { SetupAnswer, SetupStep, SetupSteps } from '#core/integration/setup-step.ts';

type Next<Result> = { readonly step?: SetupStep; readonly result?: Result };

/** Answers a conversation, and goes on to the next step that a person sees, or to the end. */
export function nextOf<Result>(talk: SetupSteps<Result>): (answer?: SetupAnswer) => Promise<Next<Result>> {
  return async (answer = {}) => {
    for (let step = await talk.next(answer); ; step = await talk.next({})) {
      if (step.done === true) return { result: step.value };
      if (step.value.type !== 'busy') return { step: step.value };
    }
  };
}
