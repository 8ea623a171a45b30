import type { ApiToken } from '#web/client/api.ts';
import { PLACE_RIGHTS } from '#web/client/vocabulary.ts';
import { Choice } from '#web/form/choice.tsx';
import { FieldError, TextField } from '#web/form/text-field.tsx';
import { rightsOf } from '#web/state/account/rights.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

export type TokenScope = ApiToken['scopes'][number];
/** In the order in which they are offered. */
const SCOPES = Object.keys(settingsWords.tokens.scopes) as readonly TokenScope[];
const CAN_BE_LIMITED: ReadonlySet<string> = new Set(PLACE_RIGHTS);

/** Whether it can be limited to some rooms and devices. */
export function canBeLimited(scope: TokenScope): boolean {
  return CAN_BE_LIMITED.has(scope);
}

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

/** Asks what a token may do, among what its person may. */
export function ScopesField({ role, isLimited, value, onValue, provider, onProvider, faults }: Props) {
  // The scopes that a person of this role can give. The hub checks again at each use.
  const own = rightsOf(role);
  const choose = (scope: TokenScope, isChosen: boolean): void =>
    onValue(new Set(isChosen ? [...value, scope] : [...value].filter((one) => one !== scope)));
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{settingsWords.tokens.may}</legend>
      {SCOPES.filter((scope) => own.includes(scope)).map((scope) => {
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
