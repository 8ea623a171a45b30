import { useState } from 'preact/hooks';
import { SearchField } from '#web/form/search-field.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { LinkRow } from '#web/parts/link-row.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import { find as findWords } from '#web/strings/en/find.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { type Entry, matchOf } from './entry-match.ts';
import { menuFor } from './settings-menu.ts';

const { menu } = settingsWords;

export function SettingsPage() {
  const { account } = useHub();
  const [text, setText] = useState('');
  const query = text.trim();
  const shown = menuFor(account).flatMap(({ title, entries }) => {
    const fit = entries.flatMap((entry) => matchOf(entry, query) ?? []);
    return fit.length === 0 ? [] : [{ title, entries: fit }];
  });
  const count = shown.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <div class="page narrow">
      <PageHead title={menu.title} back={{ href: '/', label: pageWords.device.toHome }} />
      {account.me.value === null ? (
        <RowsSkeleton rows={6} />
      ) : (
        <>
          <SearchField label={menu.search} placeholder={menu.search} value={text} onValue={setText} />
          <p class={count === 0 ? 'soft' : 'unseen'} role="status">
            {query === '' ? '' : findWords.count(count)}
          </p>
          {shown.map(({ title, entries }) => (
            <Group key={title} title={title} entries={entries} />
          ))}
        </>
      )}
      {query === '' ? <LogOut /> : null}
    </div>
  );
}

function LogOut() {
  const { account, questions } = useHub();
  const me = account.me.value;
  return (
    <div class="rows">
      <button
        type="button"
        class="row"
        onClick={() => questions.ask({ title: menu.logOutTitle, confirm: menu.logOut }, () => void account.logOut())}
      >
        <Icon name="leave" />
        <span class="row-text">
          <span class="row-title">{menu.logOut}</span>
          {me === null ? null : <bdi class="row-note">{me.email}</bdi>}
        </span>
      </button>
    </div>
  );
}

function Group({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  return (
    <section>
      <h2 class="rows-title">{title}</h2>
      <ul class="rows">
        {entries.map(({ href, icon, title, text }) => (
          <LinkRow key={href} href={href} icon={icon} title={title} note={text} />
        ))}
      </ul>
    </section>
  );
}
