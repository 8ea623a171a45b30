import type { ApiToken } from '#web/client/api.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { useHub } from '#web/hub.ts';
import { useReading } from '#web/parts/use-reading.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = {
  readonly label: string;
  readonly hint: string | undefined;
  /** The id of a token; empty for none. */
  readonly value: string;
  readonly onValue: (id: string | null) => void;
  readonly error: string | undefined;
};

/** One of the API tokens of the hub, or none. */
export function TokenField({ label, hint, value, onValue, error }: Props) {
  const { account } = useHub();
  const { value: tokens } = useReading<readonly ApiToken[]>(
    account.can('user:manage') ? '/api_token?all=true' : '/api_token',
  );
  const isLost = value !== '' && tokens !== undefined && tokens.every(({ id }) => id !== value);
  return (
    <SelectField
      label={label}
      value={value}
      options={[
        ['', settingsWords.setting.noToken],
        ...(isLost ? [[value, settingsWords.setting.lostToken] as const] : []),
        ...(tokens ?? []).map(({ id, name }) => [id, name] as const),
      ]}
      hint={
        <>
          {hint === undefined ? '' : `${hint}. `}
          <a href="/settings/tokens/add">{settingsWords.setting.toTokens}</a>
        </>
      }
      error={error}
      onValue={(id) => onValue(id === '' ? null : id)}
    />
  );
}
