import type { IconName } from '#web/icon-lines.ts';
import { placeOf, RIGHT_OF_PAGE } from '#web/router.ts';
import type { Account } from '#web/state/account/account.ts';
import { arrange as arrangeWords } from '#web/strings/en/home/arrange.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { LinkRow } from '#web/parts/link-row.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

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
          <LinkRow key={href} href={href} icon={icon} title={title} note={text} />
        ))}
      </ul>
    </section>
  );
}

type Entry = {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string | undefined;
};

/** The pages of the settings, in their order: one line each. */
const groups = (account: Account): readonly (readonly [title: string, entries: readonly Entry[]])[] => [
  [
    menu.you,
    [
      { href: '/settings/account', icon: 'user', title: menu.account, text: menu.accountText },
      {
        href: '/settings/appearance',
        icon: 'palette',
        title: settingsWords.look.title,
        text: settingsWords.look.menuText,
      },
      { href: '/settings/notifications', icon: 'bell', title: menu.notifications, text: menu.notificationsText },
      { href: '/settings/sessions', icon: 'phone', title: menu.sessions, text: menu.sessionsText },
      { href: '/settings/tokens', icon: 'key', title: menu.tokens, text: menu.tokensText },
    ],
  ],
  [
    menu.home,
    [
      { href: '/settings/hub', icon: 'hearth', title: menu.name, text: account.hub.value?.name },
      { href: '/settings/place', icon: 'sun', title: menu.place, text: menu.placeText },
      { href: '/settings/rooms', icon: 'room', title: arrangeWords.title, text: arrangeWords.menuText },
      { href: '/scene', icon: 'palette', title: menu.scenes, text: menu.scenesText },
      { href: '/rule', icon: 'clock', title: menu.rules, text: menu.rulesText },
      { href: '/settings/groups', icon: 'light', title: menu.groups, text: menu.groupsText },
      { href: '/settings/modes', icon: 'moon', title: menu.modes, text: menu.modesText },
      { href: '/add', icon: 'plus', title: pageWords.pairing.title, text: pageWords.pairing.text },
      { href: '/settings/people', icon: 'people', title: menu.people, text: menu.peopleText },
      { href: '/settings/energy', icon: 'plug', title: menu.energy, text: menu.energyText },
      { href: '/settings/integrations', icon: 'link', title: menu.integrations, text: menu.integrationsText },
    ],
  ],
  [
    menu.hub,
    [
      { href: '/settings/health', icon: 'meter', title: menu.health, text: menu.healthText },
      { href: '/settings/history', icon: 'chart', title: historyWords.keep.title, text: historyWords.keep.menuText },
      { href: '/settings/exporters', icon: 'link', title: menu.exports, text: menu.exportsText },
      { href: '/settings/backup', icon: 'archive', title: menu.backup, text: menu.backupText },
      { href: '/settings/audit', icon: 'clock', title: menu.audit, text: menu.auditText },
    ],
  ],
];

/** The pages of the settings that this person may open, by the title of their group. */
export function menuFor(account: Account): ReturnType<typeof groups> {
  return groups(account).map(
    ([title, entries]) => [title, entries.filter(({ href }) => isFor(href, account))] as const,
  );
}

function isFor(href: string, { can }: Account): boolean {
  const { name } = placeOf(href);
  const needs = name === null ? undefined : RIGHT_OF_PAGE[name];
  return needs === undefined || can(needs);
}
