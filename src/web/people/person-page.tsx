import { useState } from 'preact/hooks';
import type { User } from '#web/client/api.ts';
import { NewPasswordField } from '#web/form/new-password-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { EmailField, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Facts } from '#web/parts/facts.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView, RowsSkeleton } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { rolesUnder } from '#web/state/account/rights.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { Choice } from '#web/form/choice.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { PresencePanel } from './presence-form.tsx';
import { RoleField } from './role-field.tsx';

/** One account. What can be changed depends on its role and on the role of the viewer. */
export function PersonPage({ params }: PageProps) {
  const reading = useReading<readonly User[]>('/user');
  const person = reading.value?.find(({ id }) => id === params['id']);
  const isGone = reading.value !== undefined && person === undefined;
  return (
    <div class="page narrow">
      <PageHead
        title={isGone ? settingsWords.people.goneTitle : (person?.name ?? settingsWords.people.title)}
        back={{ href: '/settings/people', label: settingsWords.people.title }}
      />
      <ReadingView of={reading}>
        {(people) =>
          person === undefined ? (
            <p class="soft">{settingsWords.people.goneText}</p>
          ) : (
            <Forms person={person} people={people} onSaved={reading.again} />
          )
        }
      </ReadingView>
    </div>
  );
}

const CAN_BE_LIMITED: ReadonlySet<string> = new Set(['resident', 'guest']);

type Props = { readonly person: User; readonly onSaved: () => Promise<void> };

function Forms({ person, people, onSaved }: Props & { readonly people: readonly User[] }) {
  const { account } = useHub();
  const me = account.me.value;
  if (me === null) return <RowsSkeleton rows={4} />;
  if (!rolesUnder(me.role).includes(person.role)) {
    return (
      <>
        <Notice text={settingsWords.people.notYours} />
        <Facts
          facts={[
            [pageWords.field.email, person.email],
            [settingsWords.role, settingsWords.roles[person.role] ?? person.role],
          ]}
        />
      </>
    );
  }
  const isMe = me.id === person.id;
  return (
    <>
      <AccountForm person={person} isMe={isMe} onSaved={onSaved} />
      {CAN_BE_LIMITED.has(person.role) ? <LimitsForm key={person.revision} person={person} onSaved={onSaved} /> : null}
      {account.can('automation:read') ? <PresencePanel person={person} /> : null}
      {isMe ? <Notice text={settingsWords.people.passwordOfOwn} /> : <PasswordForm person={person} />}
      <RemovePerson person={person} isMe={isMe} isLast={isLastOwner(person, people)} />
    </>
  );
}

function AccountForm({ person, isMe, onSaved }: Props & { readonly isMe: boolean }) {
  const { client, account, messages } = useHub();
  const [role, setRole] = useState<string>(person.role);
  const form = useForm(['name', 'email', 'role'], { EMAIL_TAKEN: 'email' });
  const name = useField(form, 'name', person.name);
  const email = useField(form, 'email', person.email);
  const change = {
    ...(name.value.trim() === person.name ? {} : { name: name.value.trim() }),
    ...(email.value.trim() === person.email ? {} : { email: email.value.trim() }),
    ...(role === person.role ? {} : { role }),
  };
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/user/${person.id}`, change);
    if (isMe) account.lookAtMe();
    messages.show(settingsWords.saved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.people.details}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      needed={{ name: name.value, email: email.value }}
      onSubmit={save}
    >
      <TextField label={settingsWords.people.name} {...name} input={NAME_INPUT} />
      {isMe ? null : <EmailField {...email} />}
      {isMe ? (
        <p class="field-hint">{settingsWords.people.ownRole(settingsWords.roles[person.role] ?? person.role)}</p>
      ) : (
        <RoleField roles={rolesUnder(account.me.value?.role ?? '')} value={role} onValue={setRole} />
      )}
    </PanelForm>
  );
}

function PasswordForm({ person }: { readonly person: User }) {
  const { client, messages } = useHub();
  const form = useForm(['password']);
  const password = useField(form, 'password', '');
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/user/${person.id}`, { password: password.value });
    password.onValue('');
    messages.show(settingsWords.people.passwordSet(person.name));
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.people.passwordTitle}
      text={settingsWords.people.passwordText(person.name)}
      submit={settingsWords.people.setPassword}
      needed={{ password: password.value }}
      onSubmit={save}
    >
      <NewPasswordField label={pageWords.field.newPassword} {...password} of={person} />
    </PanelForm>
  );
}

type RemovePersonProps = { readonly person: User; readonly isMe: boolean; readonly isLast: boolean };

/** Removes an account after a question, or says why it cannot be removed. */
function RemovePerson({ person, isMe, isLast }: RemovePersonProps) {
  const { router } = useHub();
  if (isLast) return <Notice text={settingsWords.people.lastOwner} />;
  if (isMe) return <Notice text={settingsWords.people.ownRemoval} />;
  return (
    <RemoveButton
      path={`/user/${person.id}`}
      label={settingsWords.people.remove}
      question={settingsWords.people.removeTitle(person.name)}
      text={settingsWords.people.removeText}
      removed={settingsWords.people.removed(person.name)}
      onRemoved={() => router.go('/settings/people', 'replace')}
    />
  );
}

/** The hub keeps at least one owner, so that someone can manage it. */
function isLastOwner(person: User, people: readonly User[]): boolean {
  return person.role === 'owner' && people.every(({ id, role }) => id === person.id || role !== 'owner');
}

type LimitsFormProps = { readonly person: User; readonly onSaved: () => Promise<void> };

/** The rooms that a guest or resident sees, and until when. */
function LimitsForm({ person, onSaved }: LimitsFormProps) {
  const { client, home, messages } = useHub();
  const [rooms, setRooms] = useState(person.rooms);
  const [until, setUntil] = useState(person.valid_until);
  const form = useForm(['rooms', 'valid_until']);
  const isSameRooms = inOrder(rooms) === inOrder(person.rooms);
  const change = {
    ...(isSameRooms ? {} : { rooms }),
    ...(until === person.valid_until ? {} : { valid_until: until }),
  };
  const save = async (): Promise<void> => {
    await client.call<User>('PATCH', `/user/${person.id}`, change);
    messages.show(settingsWords.saved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.limits.title}
      text={settingsWords.limits.text(person.name)}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      onSubmit={save}
    >
      {person.ended ? <Notice text={settingsWords.limits.ended(person.name)} /> : null}
      <fieldset class="choice-list">
        <legend class="field-label">{settingsWords.limits.rooms}</legend>
        <Choice
          type="checkbox"
          label={settingsWords.limits.someRooms}
          note={settingsWords.limits.someRoomsNote}
          isChosen={rooms !== null}
          onChoice={(isLimited) => setRooms(isLimited ? [] : null)}
        />
        {rooms === null
          ? null
          : home.rooms.value.map(({ id, name }) => (
              <Choice
                key={id}
                type="checkbox"
                label={name}
                isChosen={rooms.includes(id)}
                onChoice={(isIn) => setRooms(isIn ? [...rooms, id] : rooms.filter((room) => room !== id))}
              />
            ))}
      </fieldset>
      <MomentField
        label={settingsWords.limits.until}
        hint={settingsWords.limits.untilHint}
        value={until}
        onValue={setUntil}
        error={form.faults['valid_until'] ?? form.faults['rooms']}
      />
    </PanelForm>
  );
}

function inOrder(rooms: readonly string[] | null): string | undefined {
  return rooms === null ? undefined : [...rooms].sort().join();
}
