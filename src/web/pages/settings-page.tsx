import { useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon, type IconName } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton } from '#web/settings/reading-view.tsx';
import { s } from '#web/strings/settings-strings.ts';
import { t } from '#web/strings/strings.ts';

type Entry = {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text?: string;
  /** Whose it is, where it is not for everybody; the hub refuses the others. */
  readonly for?: 'owner' | 'keepers';
};

/** The pages of the settings, in their order: one line each. */
const GROUPS: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    s.menu.you,
    [
      { href: '/settings/account', icon: 'user', title: s.menu.account, text: s.menu.accountText },
      { href: '/settings/sessions', icon: 'phone', title: s.menu.sessions, text: s.menu.sessionsText },
      { href: '/settings/tokens', icon: 'key', title: s.menu.tokens, text: s.menu.tokensText },
    ],
  ],
  [
    s.menu.home,
    [
      { href: '/settings/hub', icon: 'hearth', title: s.menu.name, for: 'keepers' },
      { href: '/room', icon: 'room', title: t.room.title, text: t.room.text, for: 'keepers' },
      { href: '/add', icon: 'plus', title: t.pairing.title, text: t.pairing.text, for: 'keepers' },
      { href: '/settings/people', icon: 'people', title: s.menu.people, text: s.menu.peopleText, for: 'keepers' },
      {
        href: '/settings/integrations',
        icon: 'link',
        title: s.menu.integrations,
        text: s.menu.integrationsText,
        for: 'keepers',
      },
    ],
  ],
  [
    s.menu.hub,
    [
      { href: '/settings/health', icon: 'meter', title: s.menu.health, text: s.menu.healthText, for: 'keepers' },
      { href: '/settings/backup', icon: 'archive', title: s.menu.backup, text: s.menu.backupText, for: 'owner' },
      { href: '/settings/audit', icon: 'clock', title: s.menu.audit, text: s.menu.auditText, for: 'owner' },
    ],
  ],
];

export function SettingsPage() {
  const { account } = useHub();
  const [isLeaving, setIsLeaving] = useState(false);
  const me = account.me.value;
  return (
    <div class="page narrow">
      <PageHead title={s.menu.title} back={{ href: '/', label: t.device.toHome }} />
      {me === null ? (
        <RowsSkeleton rows={6} />
      ) : (
        GROUPS.map(([title, entries]) => (
          <Group key={title} title={title} entries={entries.filter((entry) => isFor(entry, me.role))} />
        ))
      )}
      <div class="rows">
        <button type="button" class="row" onClick={() => setIsLeaving(true)}>
          <Icon name="leave" />
          <span class="row-text">
            <span class="row-title">{s.menu.logOut}</span>
            {me === null ? null : <bdi class="row-note">{me.email}</bdi>}
          </span>
        </button>
      </div>
      {isLeaving ? (
        <ConfirmDialog
          title={s.menu.logOutTitle}
          confirm={s.menu.logOut}
          onConfirm={() => void account.logOut()}
          onClose={() => setIsLeaving(false)}
        />
      ) : null}
    </div>
  );
}

function isFor({ for: whom }: Entry, role: string): boolean {
  return whom === undefined || role === 'owner' || (whom === 'keepers' && role === 'admin');
}

function Group({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  const { account } = useHub();
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
                <bdi class="row-note">{text ?? account.hub.value?.name}</bdi>
              </span>
              <Icon name="forward" size={18} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
