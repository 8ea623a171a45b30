import { useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon, type IconName } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { t } from '#web/strings/strings.ts';

type Entry = {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  /** For owners and admins alone. */
  readonly isForKeepers?: true;
};

/** The pages of the settings, in their order: one line each. */
const ENTRIES: readonly Entry[] = [
  { href: '/settings/sessions', icon: 'phone', title: t.settings.sessions, text: t.settings.sessionsText },
];

export function SettingsPage() {
  const { account } = useHub();
  const [isLeaving, setIsLeaving] = useState(false);
  const me = account.me.value;
  return (
    <div class="page narrow">
      <PageHead title={t.settings.title} back={{ href: '/', label: t.device.toHome }} />
      <ul class="rows">
        {ENTRIES.filter(({ isForKeepers }) => isForKeepers !== true || account.isKeeper.value).map((entry) => (
          <li key={entry.href}>
            <a class="row" href={entry.href}>
              <Icon name={entry.icon} />
              <span class="row-text">
                <span class="row-title">{entry.title}</span>
                <span class="row-note">{entry.text}</span>
              </span>
              <Icon name="forward" size={18} />
            </a>
          </li>
        ))}
      </ul>
      <div class="rows">
        <button type="button" class="row" onClick={() => setIsLeaving(true)}>
          <Icon name="leave" />
          <span class="row-text">
            <span class="row-title">{t.settings.logOut}</span>
            {me === null ? null : <bdi class="row-note">{me.email}</bdi>}
          </span>
        </button>
      </div>
      {isLeaving ? (
        <ConfirmDialog
          title={t.settings.logOutTitle}
          confirm={t.settings.logOut}
          onConfirm={() => void account.logOut()}
          onClose={() => setIsLeaving(false)}
        />
      ) : null}
    </div>
  );
}
