import { Icon } from '#web/parts/icon.tsx';
import { MemberControl } from '#web/rule/control/member-control.tsx';
import { inside, isObject, withValueAt } from '#web/rule/sentence/json.ts';
import { DEFINITION } from '#web/rule/sentence/form.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { blankMember } from './blank.ts';
import { ControlProvider, useEditing } from './editing.ts';

/** The sentence says these already. */
const TOLD = new Set(['triggers', 'conditions', 'steps']);
const SETTINGS = Object.entries(DEFINITION.members).filter(([name]) => !TOLD.has(name));

/** Asks for the settings of the whole automation: most people never open them. */
export function RuleSettings() {
  const { definition, change } = useEditing();
  const node = isObject(definition) ? definition : {};
  return (
    <ControlProvider value={MemberControl}>
      {SETTINGS.map(([name, member]) => {
        const pointer = inside('', name);
        const value = node[name];
        const label = memberLabel('definition', name);
        if (value === undefined) {
          return (
            <button
              key={name}
              type="button"
              class="chip"
              onClick={() => change(withValueAt(definition, pointer, blankMember(name, member)))}
            >
              <Icon name="plus" size={16} />
              {label}
            </button>
          );
        }
        const members = member.kind === 'form' ? Object.entries(member.form.members) : [];
        const inner = isObject(value) ? value : {};
        const hole = {
          pointer,
          member,
          value,
          words: ruleWords.empty,
          say: 'definition',
          name,
          device: '',
          look: undefined,
        };
        return (
          <fieldset key={name} class="rule-option">
            <legend class="field-label">{label}</legend>
            {members.length === 0 ? (
              <MemberControl
                label={label}
                member={member}
                spot={{ pointer, value }}
                hole={hole}
                onValue={(next) => change(withValueAt(definition, pointer, next))}
              />
            ) : (
              members
                .filter(([one]) => one !== 'max' || inner['kind'] === 'queued' || inner['kind'] === 'parallel')
                .map(([one, own]) => (
                  <MemberControl
                    key={one}
                    label={memberLabel('run_mode', one)}
                    member={own}
                    spot={{ pointer: inside(pointer, one), value: inner[one] }}
                    hole={{ ...hole, say: 'run_mode', name: one, pointer: inside(pointer, one) }}
                    onValue={(next) => change(withValueAt(definition, inside(pointer, one), next))}
                  />
                ))
            )}
          </fieldset>
        );
      })}
    </ControlProvider>
  );
}
