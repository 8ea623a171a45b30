import { codeOf } from '#base/errno.ts';
import { HubError, type ProblemCode } from '#base/hub-error.ts';
import type { LogFields, LogLevel } from '#base/log.ts';
import type { MovedSample } from '#core/past/history/history-store.ts';
import type { OperationKinds, OperationName } from '#storage/tables/operation.ts';
import { StorageRefusal, type StorageRefusalReason } from '#storage/engine/storage-failure.ts';

/** The worker gets this when it is started. */
export type StorageWorkerData = {
  readonly role: 'storage';
  readonly folders: { readonly state: string; readonly runtime: string };
};

/** To the worker, several at a time and in order. A call without an id gets no answer. */
export type StorageRequest =
  | {
      readonly type: 'call';
      readonly id: number | null;
      readonly operation: OperationName;
      readonly args: readonly unknown[];
    }
  | { readonly type: 'close' };

export type StorageReply =
  | { readonly type: 'ready'; readonly kinds: OperationKinds }
  | { readonly type: 'result'; readonly id: number; readonly value: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly failure: WireFailure }
  | { readonly type: 'moved'; readonly samples: readonly MovedSample[] }
  /** The storage could not be opened, or cannot continue. */
  | { readonly type: 'broken'; readonly failure: WireFailure }
  | { readonly type: 'log'; readonly level: LogLevel; readonly message: string; readonly fields: LogFields };

/** An error as it is sent between threads: a structured clone would keep only the message. */
export type WireFailure = {
  readonly message: string;
  readonly code?: ProblemCode;
  readonly retryAfterS?: number;
  readonly refusal?: StorageRefusalReason;
  /** The system's error code, such as `EACCES`: the exit code of a failed start depends on it. */
  readonly errno?: string;
  readonly cause?: WireFailure;
};

export function encodeFailure(failure: unknown): WireFailure {
  if (!(failure instanceof Error)) return { message: String(failure) };
  const cause = failure.cause === undefined ? {} : { cause: encodeFailure(failure.cause) };
  if (failure instanceof StorageRefusal) return { message: failure.message, refusal: failure.reason, ...cause };
  if (!(failure instanceof HubError)) {
    const errno = codeOf(failure);
    return { message: failure.message, ...(errno === undefined ? {} : { errno }), ...cause };
  }
  const { retryAfterS } = failure.options;
  return {
    message: failure.message,
    code: failure.code,
    ...(retryAfterS === undefined ? {} : { retryAfterS }),
    ...cause,
  };
}

export function decodeFailure({ message, code, retryAfterS, refusal, errno, cause: inner }: WireFailure): Error {
  const options = inner === undefined ? {} : { cause: decodeFailure(inner) };
  if (refusal !== undefined) return new StorageRefusal(refusal, message);
  if (errno !== undefined) return Object.assign(new Error(message, options), { code: errno });
  if (code === undefined) return new Error(message, options);
  return new HubError(code, message, { ...options, ...(retryAfterS === undefined ? {} : { retryAfterS }) });
}
