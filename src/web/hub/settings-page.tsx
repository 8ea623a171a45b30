import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { type Entry, menuFor } from './settings-menu.ts';

const { menu } = settingsWords;

export function SettingsPage() {
  const { account, questions } = useHub();
  const me = account.me.value;
  return (
    <div class="page narrow">
      <PageHead title={menu.title} back={{ href: '/', label: pageWords.device.toHome }} />
      {me === null ? (
        <RowsSkeleton rows={6} />
      ) : (
        menuFor(account).map(([title, entries]) => <Group key={title} title={title} entries={entries} />)
      )}
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
    </div>
  );
}

function Group({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return null;
  return (
    <section>
      <h2 class="rows-title">{title}</h2>
      <ul class="rows">
        {entries.map(({ href, icon, title, text }) => (
          <li key={href}>
            <a class="row" href={href}>
              <Icon name={icon} />
              <span class="row-text">
                <span class="row-title">{title}</span>
                <bdi class="row-note">{text}</bdi>
              </span>
              <Icon name="forward" size={18} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
