import { useState } from 'preact/hooks';
import type { Exporter } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { s } from '#web/strings/settings-strings.ts';
import { nameOf } from './exporter-words.ts';

const TYPES = ['line_protocol', 'mqtt'] as const;
const STARTS = ['now', 'beginning'] as const;
const FIELDS = ['url', 'name', 'credentials'];

/** Adds a receiver of the history. */
export function ExporterAddPage() {
  const { client, messages, router } = useHub();
  const [type, setType] = useState<(typeof TYPES)[number]>('line_protocol');
  const [url, setUrl] = useState('');
  const [name, setName] = useState('');
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [from, setFrom] = useState<(typeof STARTS)[number]>('beginning');
  const form = useForm(FIELDS);
  const add = async (): Promise<void> => {
    const added = await client.call<Exporter>('POST', '/exporter', {
      type,
      url: url.trim(),
      from,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...credentialsFrom(user.trim(), password, type),
    });
    messages.show(s.exporters.added(nameOf(added)));
    router.go('/settings/exporters', 'replace');
  };
  return (
    <div class="page narrow">
      <PageHead title={s.exporters.addTitle} back={{ href: '/settings/exporters', label: s.exporters.title }} />
      <PanelForm form={form} submit={s.exporters.add} needed={{ url }} onSubmit={add}>
        <SelectField
          label={s.exporters.type}
          value={type}
          onValue={(chosen) => setType(TYPES.find((one) => one === chosen) ?? type)}
          options={TYPES.map((one) => [one, s.exporters.types[one]])}
        />
        <TextField
          label={s.exporters.url}
          value={url}
          onValue={setUrl}
          hint={s.exporters.urlHints[type]}
          error={form.faults['url']}
          input={{
            maxLength: 2000,
            placeholder: s.exporters.urlExamples[type],
            autocapitalize: 'off',
            spellcheck: false,
            inputMode: 'url',
          }}
        />
        <TextField
          label={s.exporters.name}
          value={name}
          onValue={setName}
          error={form.faults['name']}
          input={{ maxLength: 100 }}
        />
        <TextField
          label={s.exporters.user}
          value={user}
          onValue={setUser}
          hint={s.exporters.userHint}
          error={form.faults['credentials']}
          input={{ autocapitalize: 'off', spellcheck: false }}
        />
        <TextField
          label={type === 'mqtt' ? s.exporters.password : s.exporters.passwordOrToken}
          value={password}
          onValue={setPassword}
          type="password"
        />
        <SelectField
          label={s.exporters.from}
          value={from}
          onValue={(chosen) => setFrom(STARTS.find((one) => one === chosen) ?? from)}
          options={STARTS.map((one) => [one, s.exporters.starts[one]])}
        />
      </PanelForm>
    </div>
  );
}

/** A secret without a user is a token, which a broker does not take. */
function credentialsFrom(user: string, secret: string, type: string): object {
  if (user !== '') return { credentials: { user, password: secret } };
  if (secret === '' || type === 'mqtt') return {};
  return { credentials: { token: secret } };
}
