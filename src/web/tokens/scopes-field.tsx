import { Choice } from '#web/form/choice.tsx';
import { FieldError } from '#web/form/text-field.tsx';
import { s } from '#web/strings/settings-strings.ts';
import { canBeLimited, scopesOfRole, type TokenScope } from './token-scopes.ts';

type Props = {
  readonly role: string;
  /** To some rooms and devices. */
  readonly isLimited: boolean;
  readonly value: ReadonlySet<TokenScope>;
  readonly onValue: (scopes: ReadonlySet<TokenScope>) => void;
  readonly error: string | undefined;
};

/** What a token may do, among what its person may. */
export function ScopesField({ role, isLimited, value, onValue, error }: Props) {
  const choose = (scope: TokenScope, isChosen: boolean): void =>
    onValue(new Set(isChosen ? [...value, scope] : [...value].filter((one) => one !== scope)));
  return (
    <fieldset class="choice-list">
      <legend class="field-label">{s.tokens.may}</legend>
      {scopesOfRole(role).map((scope) => {
        const isOut = isLimited && !canBeLimited(scope);
        return (
          <Choice
            key={scope}
            type="checkbox"
            label={s.tokens.scopes[scope]}
            note={isOut ? s.tokens.wholeHomeOnly : s.tokens.scopeNotes[scope]}
            isChosen={value.has(scope) && !isOut}
            isDisabled={isOut}
            onChoice={(isChosen) => choose(scope, isChosen)}
          />
        );
      })}
      <FieldError text={error} />
    </fieldset>
  );
}
