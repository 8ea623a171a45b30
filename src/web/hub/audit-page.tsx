import { useState } from 'preact/hooks';
import type { AuditEntry, User } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton, Unread } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useKinds, useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { usePages } from '#web/readings/use-pages.ts';
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
  const { items: entries, goesOn, isBusy, fault, readOn } = useAuditPages(filter);
  const { home } = useHub();
  const people = useReading<readonly User[]>('/user');
  const integrations = useNamedIntegrations().value ?? [];
  const kinds = useKinds().value ?? [];
  const namesKnown = people.value !== undefined || people.fault !== undefined;
  if (entries === null || !namesKnown) {
    return fault === undefined ? <RowsSkeleton rows={8} /> : <Unread fault={fault} again={readOn} />;
  }
  const things = {
    device: (selector: string) => home.find(selector)?.device.value,
    integration: (id: string) => [...integrations, ...kinds].find((one) => one.id === id)?.name,
  };
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
                  <bdi>{auditSentence(entry, names, things)}</bdi>
                  <span class="row-note">{auditNote(entry)}</span>
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      {goesOn ? (
        <button type="button" class="button" aria-disabled={isBusy} onClick={readOn}>
          {isBusy ? pageWords.loading : settingsWords.audit.older}
        </button>
      ) : entries.length === 0 ? null : (
        <p class="soft">{settingsWords.audit.end}</p>
      )}
    </>
  );
}

function useAuditPages(filter: AuditFilter) {
  const { client } = useHub();
  return usePages(filter, async (cursor) => {
    const types = AUDIT_FILTERS[filter];
    // One entry more than is shown, to know whether there are older ones.
    const query = new URLSearchParams({
      limit: String(PAGE + 1),
      ...(cursor === null ? {} : { cursor }),
      ...(types.length === 0 ? {} : { types: types.join(',') }),
    });
    const read = await client.call<readonly AuditEntry[]>('GET', `/audit?${query.toString()}`);
    return { items: read.slice(0, PAGE), next: read.length > PAGE ? (read[PAGE - 1]?.id ?? null) : null };
  });
}
