import { readFile } from 'node:fs/promises';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { checkFields } from '#core/integration/settings-check.ts';
import type { DevicesOfRemoved, InstanceTerms, InstanceParts } from './instance-parts.ts';
import { boundText, secretName } from './instance-secrets.ts';
import type { KnownInstance } from './instance-view.ts';

/** Removed instances that keep their ids. */
const MAX_REMOVED = 500;
/** Strangers can announce a new address as often as they like. */
const MOVE_EVERY_MS = 60_000;

/** First the record says that the instance is removed, then its devices and secrets go: a power cut loses no step. */
export function createRemoval({ book, files, store, tokens, clock, log, live, tell }: InstanceParts) {
  const removed = (): readonly KnownInstance[] => book.all().filter(({ record }) => record.removedAtMs !== null);
  const drop = async (id: string): Promise<void> => {
    await store.deleteInstance(id);
    book.drop(id);
  };
  const finishOne = async ({ record }: KnownInstance): Promise<void> => {
    const { id, isForgetting, secrets, madeToken = null } = record;
    if (madeToken !== null) await tokens.end(madeToken);
    await tell({ type: 'removed', id, devices: isForgetting ? 'remove' : 'keep' });
    for (const file of Object.values(secrets)) await files.remove(file);
    if (isForgetting) await drop(id);
  };
  return {
    remove: async (id: string, devices: DevicesOfRemoved, terms?: InstanceTerms): Promise<void> => {
      const known = live(id, terms);
      const { fixedBy } = book.viewOf(known).shown;
      if (fixedBy !== null) throw new HubError('SETTING_FIXED', `It is set by ${fixedBy}.`);
      const record = { ...known.record, removedAtMs: clock.wallMs(), isForgetting: devices === 'remove' };
      await store.saveInstance(record);
      const gone = { ...known, record, boundTo: {} };
      book.put(gone);
      await finishOne(gone);
      const oldest = removed().toSorted(
        (left, right) => (left.record.removedAtMs ?? 0) - (right.record.removedAtMs ?? 0),
      );
      for (const { record: old } of oldest.slice(0, -MAX_REMOVED)) await drop(old.id);
    },
    /** Goes on with what a power cut has interrupted. */
    finish: async (): Promise<void> => {
      for (const known of removed()) {
        try {
          await finishOne(known);
        } catch (cause) {
          // On a full disk the hub must start all the same; the next start tries again.
          log.error('an integration could not be removed whole', { integration: known.record.id, cause });
        }
      }
      // A power cut came between the record and a token: before the new one was named, or before the old one ended.
      const named = new Set(book.all().map(({ record }) => record.madeToken));
      for (const id of tokens.made().filter((one) => !named.has(one))) {
        await tokens.end(id).catch((cause: unknown) => log.error('a token that nobody has is still there', { cause }));
      }
    },
  };
}

/** Follows a discovered thing to its new address. */
export function createMeeting({
  book,
  rules,
  isConnected,
  clock,
  store,
  tell,
}: InstanceParts): (kind: string, found: Discovery) => Promise<string | undefined> {
  const movedAtMs = new Map<string, number>();
  /** The settings with which the thing was announced, where they may take the place of the present ones. */
  const moved = (known: KnownInstance, found: Discovery): JsonObject | undefined => {
    const shape = known.kind?.settings ?? {};
    const { settings: shown } = book.viewOf(known).shown;
    const strict = { ...rules, mayReachHub: false, hasInstance: () => false };
    const { values, errors } = checkFields(shape, found.settings, { rules: strict });
    const next = Object.entries(values).filter(([key, value]) => {
      const old = shown[key];
      return value !== null && old?.type === 'value' && old.fixedBy === null && old.value !== value;
    });
    const isBound = next.some(([key]) =>
      Object.entries(shape).some(([name, field]) => {
        const secret = shown[name];
        return field.type === 'secret' && field.boundTo === key && secret?.type === 'secret' && secret.isSet;
      }),
    );
    return errors.length > 0 || isBound || next.length === 0 ? undefined : Object.fromEntries(next);
  };
  return async (kind, found) => {
    if (found.uniqueId === null) return undefined;
    const known = book.live().find(({ record }) => record.kind === kind && record.uniqueId === found.uniqueId);
    if (known === undefined) return undefined;
    const { record } = known;
    const { id } = record;
    const nowMs = clock.monotonicMs();
    const isRecent = nowMs - (movedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < MOVE_EVERY_MS;
    const settings = isConnected(id) || isRecent ? undefined : moved(known, found);
    if (settings === undefined) return id;
    movedAtMs.set(id, nowMs);
    const next = {
      ...record,
      settings: { ...record.settings, ...settings },
      mayReachHub: false,
      revision: record.revision + 1,
    };
    await store.saveInstance(next);
    book.put({ ...known, record: next });
    await tell({ type: 'changed', id, needsRestart: true });
    return id;
  };
}

/** The secrets of an instance as its code gets them. */
export function createSecretDoor({ book, files, store, live }: InstanceParts) {
  return {
    read: async (id: string, field: string): Promise<string | null> => {
      const known = book.findLive(id);
      const setting = known && book.viewOf(known).shown.settings[field];
      if (known === undefined || setting?.type !== 'secret' || !setting.isSet) return null;
      const path = known.fixed?.settings[field]?.value;
      if (typeof path === 'string') return (await readFile(path, 'utf8')).split(/\r?\n/)[0] ?? '';
      const secret = await files.read(known.record.secrets[field] ?? '');
      if (secret !== undefined) return secret.text;
      throw new HubError('STORAGE_UNAVAILABLE', 'The secret cannot be read: enter it again.');
    },
    write: async (id: string, field: string, text: string): Promise<void> => {
      const known = live(id);
      const { record, kind } = known;
      const shape = kind?.settings[field];
      if (shape?.type !== 'secret') throw new Error(`${record.kind} has no secret "${field}"`);
      const bound = book.viewOf(known).shown.settings[shape.boundTo];
      const boundTo = boundText(bound?.type === 'value' ? bound.value : null);
      const { [field]: old, ...others } = record.secrets;
      const name = await files.write({ name: secretName(id, field), old }, { text, boundTo });
      const next = { ...record, secrets: { ...others, [field]: name } };
      await store.saveInstance(next);
      book.put({ ...known, record: next, boundTo: { ...known.boundTo, [field]: boundTo } });
      if (old !== undefined) await files.remove(old);
    },
  };
}
