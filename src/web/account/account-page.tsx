import type { OwnAccount } from '#web/client/api.ts';
import { NewPasswordField } from '#web/form/new-password-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { EmailField, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Facts } from '#web/parts/facts.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { timeWords } from '#web/strings/formats.ts';

/** Name, e-mail address and password of one's own account. */
export function AccountPage() {
  const { account } = useHub();
  const me = account.me.value;
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.account.title} back={{ href: '/settings', label: settingsWords.back }} />
      {me === null ? (
        <RowsSkeleton rows={4} />
      ) : (
        <>
          <OwnLimits me={me} />
          <AboutForm me={me} />
          <PasswordForm me={me} />
        </>
      )}
    </div>
  );
}

/** Shows people who are limited what they can use, and nothing to the others. */
function OwnLimits({ me }: { readonly me: OwnAccount }) {
  const { home } = useHub();
  if (me.rooms === null && me.valid_until === null) return null;
  const names = home.rooms.value.filter(({ id }) => me.rooms?.includes(id)).map(({ name }) => name);
  const until = me.valid_until === null ? null : new Date(me.valid_until);
  return (
    <Facts
      title={settingsWords.limits.ownTitle}
      facts={[
        [settingsWords.limits.ownRooms, me.rooms === null ? null : names.join(', ') || settingsWords.limits.noRooms],
        [
          settingsWords.limits.ownUntil,
          until === null ? null : `${timeWords(until, 'date')}, ${timeWords(until, 'clock')}`,
        ],
      ]}
    />
  );
}

function AboutForm({ me }: { readonly me: OwnAccount }) {
  const { client, account, messages } = useHub();
  const form = useForm(['name', 'email', 'current_password'], {
    EMAIL_TAKEN: 'email',
    WRONG_PASSWORD: 'current_password',
  });
  const name = useField(form, 'name', me.name);
  const email = useField(form, 'email', me.email);
  const password = useField(form, 'current_password', '');
  const isOtherEmail = email.value.trim() !== me.email;
  const change = {
    ...(name.value.trim() === me.name ? {} : { name: name.value.trim() }),
    ...(isOtherEmail ? { email: email.value.trim(), current_password: password.value } : {}),
  };
  const save = async (): Promise<void> => {
    account.keepMe(await client.call('PATCH', '/me', change));
    password.onValue('');
    messages.show(settingsWords.saved);
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.account.you}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      needed={{ name: name.value, email: email.value, ...(isOtherEmail ? { current_password: password.value } : {}) }}
      onSubmit={save}
    >
      <TextField label={settingsWords.account.name} autocomplete="name" {...name} input={NAME_INPUT} />
      <EmailField isOwn {...email} />
      {isOtherEmail ? (
        <TextField
          label={settingsWords.account.confirm}
          type="password"
          autocomplete="current-password"
          {...password}
        />
      ) : null}
    </PanelForm>
  );
}

function PasswordForm({ me }: { readonly me: OwnAccount }) {
  const { client, messages } = useHub();
  const form = useForm(['current_password', 'new_password'], { WRONG_PASSWORD: 'current_password' });
  const current = useField(form, 'current_password', '');
  const fresh = useField(form, 'new_password', '');
  const change = async (): Promise<void> => {
    await client.call('POST', '/me/password', { current_password: current.value, new_password: fresh.value });
    current.onValue('');
    fresh.onValue('');
    messages.show(settingsWords.account.changed);
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.account.passwordTitle}
      text={settingsWords.account.passwordText}
      submit={settingsWords.account.change}
      needed={{ current_password: current.value, new_password: fresh.value }}
      onSubmit={change}
    >
      {/* For password managers: the account that the password belongs to. */}
      <input class="unseen" type="email" autocomplete="username" value={me.email} readOnly tabIndex={-1} aria-hidden />
      <TextField label={settingsWords.account.current} type="password" autocomplete="current-password" {...current} />
      <NewPasswordField label={pageWords.field.newPassword} {...fresh} />
    </PanelForm>
  );
}
