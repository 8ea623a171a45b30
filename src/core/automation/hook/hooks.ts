import { createHash, timingSafeEqual } from 'node:crypto';
import { HubError } from '#base/hub-error.ts';
import type { Random } from '#base/random.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { HookTrigger } from '#core/automation/document/trigger.ts';
import type { AutomationRecord, Signer } from '#core/automation/registry/automation-record.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';

/** With whose text a program calls a hook without an account. */
export type HookSecret = {
  readonly automation: AutomationId;
  readonly trigger: string;
  /** SHA-256 of the text, which is not stored. */
  readonly hash: Uint8Array;
  /** Who made it. It lasts no longer than their right to change the automation. */
  readonly signer: Signer;
};

/** A resolved promise means: on disk. Secrets of triggers and automations that go are deleted with them. */
type HookSecretStore = {
  readonly loadHookSecrets: () => Promise<readonly HookSecret[]>;
  /** Replaces the one before. */
  readonly saveHookSecret: (secret: HookSecret) => Promise<void>;
  readonly deleteHookSecret: (automation: AutomationId, trigger: string) => Promise<void>;
};

export type Hook = { readonly record: AutomationRecord; readonly trigger: HookTrigger };

/** The triggers that other programs call. */
export type Hooks = Awaited<ReturnType<typeof openHooks>>;
export type Called = { readonly automation: string; readonly trigger: string };

type HooksDeps = {
  readonly store: HookSecretStore;
  readonly automations: Pick<AutomationRegistry, 'find' | 'findInTrash' | 'subscribe'>;
  /** Whether somebody may still have programs start this automation. */
  readonly mayLetCall: (signer: Signer, record: AutomationRecord) => boolean;
  readonly random: Random;
  readonly monotonicMs: () => number;
};

/** Lets tools that search for leaked secrets recognise one. */
const PREFIX = 'hhk_';
const SECRET_BYTES = 32;
/** Longer texts are hashed only so far: they are none of ours. */
const MAX_TEXT = 256;
const MAX_SECRETS = 1_000;
const CALLS = { capacity: 5, refillMs: 200, maxNames: 2_048 };
/** Stands for the hash of a hook that has none. No text leads to it that anybody could find. */
const NO_HASH = new Uint8Array(32);

export async function openHooks(deps: HooksDeps) {
  const { store, automations, random, monotonicMs, mayLetCall } = deps;
  const secrets = new Map((await store.loadHookSecrets()).map((secret) => [keyOf(secret), secret]));
  const calls = createTokenBuckets({ ...CALLS, monotonicMs });
  const turn = createTurnQueue();
  const find = (name: string, id: string): Hook | undefined => hookOf(automations.find(name), id);
  const authorized = ({ automation, trigger }: Called, authorize: (hook: Hook) => void): Hook => {
    const hook = find(automation, trigger);
    if (hook === undefined) throw noHook();
    authorize(hook);
    return hook;
  };
  /** The storage forgot them when the definition was written. */
  const forgetGone = (): void => {
    for (const [key, { automation, trigger }] of secrets) {
      const record = automations.find(automation) ?? automations.findInTrash(automation);
      if (hookOf(record, trigger) === undefined) secrets.delete(key);
    }
  };
  return {
    find,
    /** The same, for somebody who has nothing but the text; takes as long where there is no such hook. */
    findBySecret: ({ automation, trigger }: Called, text: string): Hook | undefined => {
      const record = automations.find(automation);
      const secret = secrets.get(keyOf({ automation: record?.id ?? automation, trigger }));
      const isSame = timingSafeEqual(hashOf(text), secret?.hash ?? NO_HASH);
      if (!isSame || secret === undefined || record === undefined || !mayLetCall(secret.signer, record))
        return undefined;
      return hookOf(record, trigger);
    },
    /** Whose secret it has, and whether that still counts; `undefined` without one. */
    secretOf: ({ record, trigger }: Hook): { readonly signer: Signer; readonly isValid: boolean } | undefined => {
      const signer = secrets.get(keyOf({ automation: record.id, trigger: trigger.id }))?.signer;
      return signer === undefined ? undefined : { signer, isValid: mayLetCall(signer, record) };
    },
    /** Counts a call. Throws HubError TOO_MANY_REQUESTS. */
    takeCall: ({ record, trigger }: Hook): void => {
      if (calls.take(keyOf({ automation: record.id, trigger: trigger.id }))) return;
      throw new HubError('TOO_MANY_REQUESTS', 'The hook was called too often in a short time: try again in a second.', {
        retryAfterS: 1,
      });
    },
    /** The answer is the only one with the text. Throws HubError NOT_FOUND, LIMIT_REACHED, and what `authorize` throws. */
    makeSecret: (called: Called, signer: Signer, authorize: (hook: Hook) => void): Promise<string> =>
      turn(async () => {
        const { record, trigger } = authorized(called, authorize);
        const text = PREFIX + random(SECRET_BYTES).toString('base64url');
        const secret = { automation: record.id, trigger: trigger.id, hash: hashOf(text), signer };
        if (!secrets.has(keyOf(secret)) && secrets.size >= MAX_SECRETS) {
          throw new HubError('LIMIT_REACHED', `There can be ${MAX_SECRETS} secrets of hooks.`);
        }
        await store.saveHookSecret(secret);
        if (find(record.id, trigger.id) === undefined) {
          await store.deleteHookSecret(record.id, trigger.id);
          throw noHook();
        }
        secrets.set(keyOf(secret), secret);
        return text;
      }),
    /** Throws HubError NOT_FOUND, and what `authorize` throws. */
    takeBackSecret: (called: Called, authorize: (hook: Hook) => void): Promise<void> =>
      turn(async () => {
        const { record, trigger } = authorized(called, authorize);
        const key = keyOf({ automation: record.id, trigger: trigger.id });
        if (!secrets.has(key)) throw new HubError('NOT_FOUND', 'The hook has no secret.');
        await store.deleteHookSecret(record.id, trigger.id);
        secrets.delete(key);
      }),
    stop: automations.subscribe(forgetGone),
  };
}

function keyOf({ automation, trigger }: Called): string {
  return `${automation} ${trigger}`;
}

/** 256 random bits need neither salt nor a slow hash. */
function hashOf(text: string): Uint8Array {
  return createHash('sha256').update(text.slice(0, MAX_TEXT)).digest();
}

function hookOf(record: AutomationRecord | undefined, id: string): Hook | undefined {
  return record === undefined ? undefined : hooksIn(record).find(({ trigger }) => trigger.id === id);
}

export function hooksIn(record: AutomationRecord): readonly Hook[] {
  return record.definition.triggers.flatMap((trigger) => (trigger.type === 'hook' ? [{ record, trigger }] : []));
}

function noHook(): HubError {
  return new HubError('NOT_FOUND', 'The automation has no such hook.');
}
