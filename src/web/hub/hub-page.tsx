import { useState } from 'preact/hooks';
import type { Hub } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { s } from '#web/strings/settings-strings.ts';

/** What the home is called. */
export function HubPage() {
  const reading = useReading<Hub>('/hub');
  return (
    <div class="page narrow">
      <PageHead title={s.hub.title} back={{ href: '/settings', label: s.back }} />
      <ReadingView of={reading} rows={2}>
        {(hub) => <NameForm hub={hub} onSaved={reading.again} />}
      </ReadingView>
    </div>
  );
}

type FormProps = { readonly hub: Hub; readonly onSaved: () => Promise<void> };

function NameForm({ hub, onSaved }: FormProps) {
  const { client, account, messages } = useHub();
  const [name, setName] = useState(hub.name);
  const form = useForm(['name']);
  const wanted = name.trim();
  const save = async (): Promise<void> => {
    const renamed = await client.call<Hub>('PATCH', '/hub', { name: wanted });
    account.keepHubName(renamed.name);
    messages.show(s.hub.renamed(renamed.name));
    await onSaved();
  };
  return (
    <PanelForm form={form} submit={s.save} isIdle={wanted === hub.name} needed={{ name }} onSubmit={save}>
      <TextField
        label={s.hub.name}
        value={name}
        onValue={setName}
        hint={s.hub.hint}
        error={form.faults['name']}
        input={{ maxLength: 100 }}
      />
    </PanelForm>
  );
}
