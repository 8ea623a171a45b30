import { useEffect, useState } from 'preact/hooks';
import type { Device, Group } from '#web/client/api.ts';
import { natureOf } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { GroupForm } from './group-form.tsx';

/** On the page of a group: that it is one, its members, and their change. */
export function GroupPanel({ device }: { readonly device: Device }) {
  const { account, router } = useHub();
  const [isEditing, setIsEditing] = useState(false);
  const reading = useReading<Group>(`/group/${device.id}`);
  const { again } = reading;
  useEffect(() => void again(), [device.revision, again]);
  return (
    <section class="panel">
      <h2 class="panel-title">{houseWords.groups.isOne}</h2>
      <ReadingView of={reading}>
        {(group) => (
          <>
            <ul class="group-members">
              {group.members.map((member) => (
                <li key={member.id}>
                  <Member member={member} />
                </li>
              ))}
            </ul>
            {account.can('device:manage') ? (
              <div class="form-buttons">
                <RemoveButton
                  path={`/group/${device.id}`}
                  label={houseWords.groups.remove}
                  question={houseWords.removeQuestion(device.name)}
                  text={houseWords.groups.removeText}
                  removed={houseWords.removed(device.name)}
                  onRemoved={() => router.go('/settings/groups', 'replace')}
                />
                <button type="button" class="button" onClick={() => setIsEditing(true)}>
                  {houseWords.groups.change}
                </button>
              </div>
            ) : null}
            {isEditing ? (
              <Dialog title={houseWords.groups.change} onClose={() => setIsEditing(false)}>
                {(close) => <GroupForm group={group} onSaved={close} onCancel={close} />}
              </Dialog>
            ) : null}
          </>
        )}
      </ReadingView>
    </section>
  );
}

function Member({ member }: { readonly member: Group['members'][number] }) {
  const { home } = useHub();
  const device = home.find(member.id)?.device.value;
  if (device === undefined) {
    return (
      <span class="group-member">
        <Icon name="offline" size={20} />
        <bdi>{member.name}</bdi>
        <span class="soft">{houseWords.groups.missing}</span>
      </span>
    );
  }
  return (
    <a class="group-member" href={`/device/${device.selector}`}>
      <Icon name={natureOf(device).icon} size={20} />
      <bdi>{device.name}</bdi>
      <Icon name="forward" size={16} />
    </a>
  );
}
