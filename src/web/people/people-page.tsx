import type { User } from '#web/client/api.ts';
import { usePresence } from '#web/house/use-house.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

/** Everybody who has an account. */
export function PeoplePage() {
  const { account } = useHub();
  const reading = useReading<readonly User[]>('/user');
  const myId = account.me.value?.id;
  const present = usePresence().value.value?.people ?? [];
  const stateOf = (id: string) => present.find(({ user }) => user.id === id)?.state ?? 'unknown';
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.people.title} back={{ href: '/settings', label: settingsWords.back }}>
        <a class="button" href="/settings/people/add">
          <Icon name="plus" size={18} />
          {settingsWords.people.add}
        </a>
      </PageHead>
      <ReadingView of={reading}>
        {(people) => (
          <ul class="rows">
            {people.map(({ id, name, email, role, ended }) => (
              <li key={id}>
                <a class="row" href={`/settings/people/${id}`}>
                  <Icon name="user" />
                  <span class="row-text">
                    <span class="row-title">
                      <bdi>{name}</bdi>
                      {id === myId ? <span class="tag row-tag">{settingsWords.people.you}</span> : null}
                      {ended ? <span class="tag row-tag">{settingsWords.people.closed}</span> : null}
                    </span>
                    <bdi class="row-note">{email}</bdi>
                    {stateOf(id) === 'unknown' ? null : <span class="row-note">{houseWords.states[stateOf(id)]}</span>}
                  </span>
                  <span class="row-end">{settingsWords.roles[role] ?? role}</span>
                  <Icon name="forward" size={18} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </ReadingView>
    </div>
  );
}
