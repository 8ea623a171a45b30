import { useState } from 'preact/hooks';
import type { Hub } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { languageNames } from '#web/strings/language/chosen-language.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

/** Asks for the name of the home, and the language that it speaks. */
export function HubPage() {
  const reading = useReading<Hub>('/hub');
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.hub.title} back={{ href: '/settings', label: settingsWords.back }} />
      <ReadingView of={reading} rows={2}>
        {(hub) => <HubForm hub={hub} onSaved={reading.again} />}
      </ReadingView>
    </div>
  );
}

type FormProps = { readonly hub: Hub; readonly onSaved: () => Promise<void> };

function HubForm({ hub, onSaved }: FormProps) {
  const { client, account, messages } = useHub();
  const [language, setLanguage] = useState(hub.language ?? '');
  const form = useForm(['name', 'language']);
  const name = useField(form, 'name', hub.name);
  const wanted = name.value.trim();
  const save = async (): Promise<void> => {
    const changed = await client.call<Hub>('PATCH', '/hub', {
      name: wanted,
      language: language === '' ? null : language,
    });
    account.keepHubName(changed.name);
    messages.show(changed.name === hub.name ? settingsWords.hub.saved : settingsWords.hub.renamed(changed.name));
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      submit={settingsWords.save}
      isIdle={wanted === hub.name && language === (hub.language ?? '')}
      needed={{ name: name.value }}
      onSubmit={save}
    >
      <TextField label={settingsWords.hub.name} hint={settingsWords.hub.hint} {...name} input={NAME_INPUT} />
      <SelectField
        label={settingsWords.hub.language}
        value={language}
        options={[['', settingsWords.hub.languageNone], ...languageNames()]}
        onValue={setLanguage}
        hint={settingsWords.hub.languageHint}
      />
    </PanelForm>
  );
}
