import { Choice } from '#web/form/choice.tsx';
import { FieldError, TextField } from '#web/form/text-field.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { canBeLimited, scopesOfRole, type TokenScope } from './token-scopes.ts';

type Props = {
  readonly role: string;
  /** To some rooms and devices. */
  readonly isLimited: boolean;
  readonly value: ReadonlySet<TokenScope>;
  readonly onValue: (scopes: ReadonlySet<TokenScope>) => void;
  /** The name for which the script may speak, if it has devices of its own. */
  readonly provider: string;
  readonly onProvider: (name: string) => void;
  readonly faults: { readonly [field: string]: string | undefined };
};

/** What a token may do, among what its person may. */
export function ScopesField({ role, isLimited, value, onValue, provider, onProvider, faults }: Props) {
  const choose = (scope: TokenScope, isChosen: boolean): void =>
    onValue(new Set(isChosen ? [...value, scope] : [...value].filter((one) => one !== scope)));
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.tokens.may}</legend>
      {scopesOfRole(role).map((scope) => {
        const isOut = isLimited && !canBeLimited(scope);
        return (
          <Choice
            key={scope}
            type="checkbox"
            label={settingsWords.tokens.scopes[scope]}
            note={isOut ? settingsWords.tokens.wholeHomeOnly : settingsWords.tokens.scopeNotes[scope]}
            isChosen={value.has(scope) && !isOut}
            isDisabled={isOut}
            onChoice={(isChosen) => choose(scope, isChosen)}
          />
        );
      })}
      {value.has('device:provide') && !isLimited ? (
        <TextField
          label={settingsWords.tokens.provider}
          value={provider}
          onValue={onProvider}
          hint={settingsWords.tokens.providerHint}
          error={faults['provider']}
          input={{ autocapitalize: 'off', spellcheck: false, maxLength: 32 }}
        />
      ) : null}
      <FieldError text={faults['scopes']} />
    </fieldset>
  );
}
