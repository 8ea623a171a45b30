import { useCallback, useEffect, useState } from 'preact/hooks';
import type { AuditEntry, User } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton, Unread } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { lastOf } from '#web/since-2021.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { clockWords } from '#web/strings/measure-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { AUDIT_FILTERS, type AuditFilter, auditNote, auditSentence, byDay } from './audit.ts';

/** The audit log as sentences, the newest first. */
export function AuditPage() {
  const [filter, setFilter] = useState<AuditFilter>('all');
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.audit.title} back={{ href: '/settings', label: settingsWords.back }} />
      <div class="choices audit-filter" role="group" aria-label={settingsWords.audit.filter}>
        {(Object.keys(AUDIT_FILTERS) as AuditFilter[]).map((name) => (
          <button key={name} type="button" aria-pressed={name === filter} onClick={() => setFilter(name)}>
            {settingsWords.audit.filters[name]}
          </button>
        ))}
      </div>
      <Entries key={filter} filter={filter} />
    </div>
  );
}

const PAGE = 50;

function Entries({ filter }: { readonly filter: AuditFilter }) {
  const { entries, hasMore, isBusy, fault, readOn } = useAuditPages(filter);
  const people = useReading<readonly User[]>('/user');
  const namesKnown = people.value !== undefined || people.fault !== undefined;
  if (entries === null || !namesKnown) {
    return fault === undefined ? <RowsSkeleton rows={8} /> : <Unread fault={fault} again={readOn} />;
  }
  const names = new Map((people.value ?? []).map(({ id, name }) => [id, name]));
  return (
    <>
      {entries.length === 0 ? <p class="soft">{settingsWords.audit.empty}</p> : null}
      {entries.some(({ wall_at: wallAt }) => wallAt === null) ? <Notice text={settingsWords.audit.clockUnset} /> : null}
      {byDay(entries).map(([day, ofDay]) => (
        <section key={day}>
          <h2 class="rows-title">{day}</h2>
          <ol class="rows">
            {ofDay.map((entry) => (
              <li key={entry.id} class="row audit-row">
                <time class="audit-time" dateTime={entry.wall_at ?? entry.at}>
                  {entry.wall_at === null ? '≈ ' : ''}
                  {clockWords(entry.wall_at ?? entry.at)}
                </time>
                <span class="row-text">
                  <bdi>{auditSentence(entry, names)}</bdi>
                  <span class="row-note">{auditNote(entry)}</span>
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      {hasMore ? (
        <button type="button" class="button" aria-disabled={isBusy} onClick={readOn}>
          {isBusy ? pageWords.loading : settingsWords.audit.older}
        </button>
      ) : entries.length === 0 ? null : (
        <p class="soft">{settingsWords.audit.end}</p>
      )}
    </>
  );
}

type AuditPages = {
  /** `null` until the first ones are there. */
  readonly entries: readonly AuditEntry[] | null;
  readonly hasMore: boolean;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  readonly readOn: () => void;
};

function useAuditPages(filter: AuditFilter): AuditPages {
  const { client } = useHub();
  const [entries, setEntries] = useState<readonly AuditEntry[] | null>(null);
  const [hasMore, setHasMore] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const readFrom = useCallback(
    async (known: readonly AuditEntry[]): Promise<void> => {
      setIsBusy(true);
      const last = lastOf(known);
      const types = AUDIT_FILTERS[filter];
      // One entry more than is shown, to know whether there are older ones.
      const query = new URLSearchParams({
        limit: String(PAGE + 1),
        ...(last === undefined ? {} : { cursor: last.id }),
        ...(types.length === 0 ? {} : { types: types.join(',') }),
      });
      const words = await wordsIfRefused(async () => {
        const read = await client.call<readonly AuditEntry[]>('GET', `/audit?${query.toString()}`);
        setEntries([...known, ...read.slice(0, PAGE)]);
        setHasMore(read.length > PAGE);
      });
      setFault(words);
      setIsBusy(false);
    },
    [client, filter],
  );
  useEffect(() => void readFrom([]), [readFrom]);
  return {
    entries,
    hasMore,
    isBusy,
    fault,
    readOn: () => {
      if (!isBusy) void readFrom(entries ?? []);
    },
  };
}
