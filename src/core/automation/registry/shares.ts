import { HubError } from '#base/hub-error.ts';
import type { UserId } from '#core/person/user.ts';
import { AUTOMATION_LIMITS, type AutomationRecord } from './automation-record.ts';

const MIB = 1024 * 1024;
/**
 * Bytes of what automations do, by who signed them: all are in memory, and read at each start. What is kept already
 * stays, however much it is.
 */
export const SHARES = {
  person: MIB,
  /** Nobody but owners may add beyond this sum of all: the rest is for owners. */
  others: 3 * MIB,
  all: 4 * MIB,
  /** So much owners may have whatever the others have. */
  owners: MIB,
  trash: MIB,
} as const;

type Kept = Pick<AutomationRecord, 'definition' | 'names' | 'template'>;
const known = new WeakMap<Kept, number>();

/** As JSON, with what its references are called. */
function bytesOf(record: Kept): number {
  const found = known.get(record);
  if (found !== undefined) return found;
  const { definition, names, template } = record;
  const bytes = Buffer.byteLength(JSON.stringify([definition, names, template]));
  known.set(record, bytes);
  return bytes;
}

function sumOf(records: readonly AutomationRecord[]): number {
  return records.reduce((sum, record) => sum + bytesOf(record), 0);
}

/** Throws HubError LIMIT_REACHED where somebody would have too much. What shrinks and stays with its signer is taken. */
export function requireRoom(
  live: readonly AutomationRecord[],
  saved: readonly AutomationRecord[],
  isOwner: (person: UserId) => boolean,
): void {
  const before = new Map(live.map((record) => [record.id, record]));
  const grown = saved.filter((record) => {
    const old = before.get(record.id);
    return old?.signer.user.id !== record.signer.user.id || bytesOf(record) > bytesOf(old);
  });
  if (grown.length === 0) return;
  for (const record of saved) before.set(record.id, record);
  const after = [...before.values()];
  const all = sumOf(after);
  for (const person of new Set(grown.map(({ signer }) => signer.user.id))) {
    if (isOwner(person)) {
      const own = sumOf(after.filter(({ signer }) => isOwner(signer.user.id)));
      if (all > SHARES.all && own > SHARES.owners) throw tooMuch('all automations', all, SHARES.all);
      continue;
    }
    const own = sumOf(after.filter(({ signer }) => signer.user.id === person));
    if (own > SHARES.person) throw tooMuch('the automations of one person', own, SHARES.person);
    if (all > SHARES.others) throw tooMuch('all automations', all, SHARES.others);
  }
}

function tooMuch(what: string, bytes: number, most: number): HubError {
  const kib = (count: number): number => Math.ceil(count / 1024);
  const sizes = `${kib(bytes)} KiB, and ${kib(most)} KiB is the most`;
  return new HubError('LIMIT_REACHED', `Together ${what} would take ${sizes}. Make some shorter, or delete some.`);
}

/** Chooses what leaves the trash, so that so many and so much stay at most: the oldest of the person who has most there. */
export function beyondTrash(trash: readonly AutomationRecord[], most: number): readonly AutomationRecord[] {
  const kept = trash.toSorted((left, right) => (left.deletedAtMs ?? 0) - (right.deletedAtMs ?? 0));
  const gone = kept.splice(0, kept.length - most);
  const owned = new Map<UserId, number>();
  for (const record of kept) {
    const person = record.signer.user.id;
    owned.set(person, (owned.get(person) ?? 0) + bytesOf(record));
  }
  for (let bytes = sumOf(kept); bytes > SHARES.trash;) {
    const [person, own] = [...owned].reduce((left, right) => (right[1] > left[1] ? right : left));
    const at = kept.findIndex(({ signer }) => signer.user.id === person);
    const [oldest] = kept.splice(at, 1);
    if (oldest === undefined) break;
    owned.set(person, own - bytesOf(oldest));
    bytes -= bytesOf(oldest);
    gone.push(oldest);
  }
  return gone;
}

/** Throws HubError LIMIT_REACHED. */
export function refuseMore(count: number): void {
  if (count > AUTOMATION_LIMITS.automations) {
    throw new HubError('LIMIT_REACHED', `There can be ${AUTOMATION_LIMITS.automations} automations.`);
  }
}
