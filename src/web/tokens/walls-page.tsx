import { useState } from 'preact/hooks';
import type { ApiToken } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { walls as wallsWords } from '#web/strings/en/settings/walls.ts';
import { TokenRow } from './tokens-page.tsx';

/** The tablets on the wall that show the home, and the way to another one. */
export function WallsPage() {
  const { account } = useHub();
  const reading = useReading<readonly ApiToken[]>(account.can('user:manage') ? '/api_token?all=true' : '/api_token');
  const me = account.me.value;
  return (
    <div class="page narrow">
      <PageHead title={wallsWords.title} back={{ href: '/settings', label: settingsWords.back }} />
      <DigitsForm />
      <ReadingView of={reading} rows={1}>
        {(tokens) => {
          const walls = tokens.filter(({ kind }) => kind === 'wall');
          if (walls.length === 0) return null;
          return (
            <ul class="rows">
              {walls.map((token) => (
                <TokenRow key={token.id} token={token} isOwn={token.user.id === me?.id} again={reading.again} />
              ))}
            </ul>
          );
        }}
      </ReadingView>
    </div>
  );
}

/** Asks for the digits that a tablet shows, and leads to the question whether it may. */
export function DigitsForm() {
  const { router } = useHub();
  const [text, setText] = useState('');
  const form = useForm(['code']);
  const digits = text.replaceAll(/\s/g, '');
  const next = async (): Promise<void> => {
    if (/^\d{6}$/.test(digits)) router.go(`/wall_allow?code=${digits}`);
    else form.show({ code: wallsWords.notDigits });
  };
  return (
    <PanelForm form={form} submit={wallsWords.next} needed={{ code: digits }} onSubmit={next}>
      <TextField
        label={wallsWords.digits}
        value={text}
        onValue={setText}
        hint={wallsWords.digitsHint(`${location.origin}/wall`)}
        error={form.faults['code']}
        autocomplete="one-time-code"
        input={{ inputMode: 'numeric', maxLength: 12 }}
      />
    </PanelForm>
  );
}
