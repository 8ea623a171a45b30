import { useState } from 'preact/hooks';
import type { Hub } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { languageNames } from '#web/strings/language/chosen-language.ts';
import { s } from '#web/strings/settings-strings.ts';

/** What the home is called, and which language it speaks. */
export function HubPage() {
  const reading = useReading<Hub>('/hub');
  return (
    <div class="page narrow">
      <PageHead title={s.hub.title} back={{ href: '/settings', label: s.back }} />
      <ReadingView of={reading} rows={2}>
        {(hub) => <HubForm hub={hub} onSaved={reading.again} />}
      </ReadingView>
    </div>
  );
}

type FormProps = { readonly hub: Hub; readonly onSaved: () => Promise<void> };

function HubForm({ hub, onSaved }: FormProps) {
  const { client, account, messages } = useHub();
  const [name, setName] = useState(hub.name);
  const [language, setLanguage] = useState(hub.language ?? '');
  const form = useForm(['name', 'language']);
  const wanted = name.trim();
  const save = async (): Promise<void> => {
    const changed = await client.call<Hub>('PATCH', '/hub', {
      name: wanted,
      language: language === '' ? null : language,
    });
    account.keepHubName(changed.name);
    messages.show(changed.name === hub.name ? s.hub.saved : s.hub.renamed(changed.name));
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      submit={s.save}
      isIdle={wanted === hub.name && language === (hub.language ?? '')}
      needed={{ name }}
      onSubmit={save}
    >
      <TextField
        label={s.hub.name}
        value={name}
        onValue={setName}
        hint={s.hub.hint}
        error={form.faults['name']}
        input={{ maxLength: 100 }}
      />
      <SelectField
        label={s.hub.language}
        value={language}
        options={[['', s.hub.languageNone], ...languageNames()]}
        onValue={setLanguage}
        hint={s.hub.languageHint}
      />
    </PanelForm>
  );
}
