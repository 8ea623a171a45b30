import { useState } from 'preact/hooks';
import { natureOf } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { LinkRow } from '#web/parts/link-row.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { GroupForm } from './group-form.tsx';

/** The groups of the home, and a new one. Each is a device with a page of its own. */
export function GroupsPage() {
  const { home, messages } = useHub();
  // A new form after each group.
  const [count, setCount] = useState(0);
  const isLoaded = home.isLoaded.value;
  const groups = home.entries.value
    .map(({ device }) => device.value)
    .filter(({ integration }) => integration === 'group');
  return (
    <div class="page narrow" aria-busy={!isLoaded}>
      <PageHead title={houseWords.groups.title} back={{ href: '/settings', label: settingsWords.back }} />
      <p class="soft">{houseWords.groups.text}</p>
      <ul class="rows">
        {groups.map((group) => (
          <LinkRow
            key={group.id}
            href={`/device/${group.selector}`}
            icon={natureOf(group).icon}
            title={group.name}
            note={group.room?.name ?? houseWords.noRoom}
          />
        ))}
      </ul>
      {isLoaded ? (
        <section class="panel">
          <h2 class="panel-title">{houseWords.groups.add}</h2>
          <GroupForm
            key={count}
            onSaved={({ name }) => {
              messages.show(houseWords.saved(name));
              setCount(count + 1);
            }}
          />
        </section>
      ) : null}
    </div>
  );
}
