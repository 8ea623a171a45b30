import type { FieldError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Wording } from '#words/texts.ts';
import type { SettingsShape } from './settings-shape.ts';

/**
 * One step of a conversation with a person. The frame goes on from `act` and `busy` by itself; `form`, `choose` and
 * `show` wait for the person's answer. The reason names its texts among the words of the kind.
 */
export type SetupStep = StepOfType & { readonly reason?: Wording };

type StepOfType =
  /** The answer has a checked value for each field, secrets included. Pointers of errors lead into the answer: `/host`. */
  | {
      readonly type: 'form';
      readonly fields: SettingsShape;
      readonly values: JsonObject;
      readonly errors: readonly FieldError[];
    }
  /** The answer is `{option: id}` with one of the ids. */
  | {
      readonly type: 'choose';
      readonly text: string;
      readonly options: readonly { readonly id: string; readonly title: string; readonly detail: string }[];
    }
  /** The person does something elsewhere: presses the button of a bridge. `untilMs` is of the monotonic clock. */
  | { readonly type: 'act'; readonly text: string; readonly untilMs: number }
  | { readonly type: 'busy'; readonly text: string }
  /** The person reads or copies a code; the answer is `{}`. */
  | { readonly type: 'show'; readonly text: string; readonly code: string };

export type SetupAnswer = JsonObject;

/** A conversation, or a part of one, that leads to a result. */
export type SetupSteps<Result> = AsyncGenerator<SetupStep, Result, SetupAnswer>;

/** Ends a set-up with words for people, which hold no secret. */
export class SetupFailure extends Error {
  /** In snake_case: `button_not_pressed`. */
  readonly code: string;

  constructor(code: string, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = 'SetupFailure';
    this.code = code;
  }
}

/** A set-up as its caller sees it. */
export type Setup = {
  readonly id: string;
  readonly kind: string;
  readonly status: 'running' | 'done' | 'failed';
  /** `null` while the set-up works without showing anything, and after its end. The time of `act` is a wall time here. */
  readonly step: SetupStep | null;
  /** The instance that it made or renewed; only when `done`. */
  readonly instance: string | null;
  /** The instance was there before: it has a new address and new secrets now. */
  readonly isRenewal: boolean;
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Why a connection failed. Only owners may see it. */
    readonly fault: { readonly reason: string; readonly message: string } | null;
  } | null;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'integration_setup.changed': { readonly setup: Setup };
  }
}
