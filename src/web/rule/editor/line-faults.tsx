import { FieldError } from '#web/form/text-field.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { isList, isObject, type JsonObject, valueAt, withValueAt } from '#web/rule/sentence/json.ts';
import { deviceOf, devicesOf } from '#web/rule/sentence/look.ts';
import { type Line, nodePointer } from '#web/rule/sentence/sentence.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { useEditing } from './editing.ts';
import { faultsOf } from './faults.ts';

/** Says what is wrong with a line itself, and not with the lines inside it. */
export function LineFaults({ line }: { readonly line: Line }) {
  const { faults } = useEditing();
  const { pointer, bodies } = line;
  const found = faultsOf(
    faults,
    pointer,
    bodies.map((body) => body.pointer),
  );
  return (
    <>
      {found.map(({ text, isWarning, needsConsent }) =>
        needsConsent === true ? (
          <Consent key={text} line={line} />
        ) : isWarning ? (
          <p key={text} class="rule-warning">
            <Icon name="warning" size={16} /> {text}
          </p>
        ) : (
          <FieldError key={text} text={text} />
        ),
      )}
    </>
  );
}

/** A person allows the devices of a line by name: what opens or guards the home is never used without. */
function Consent({ line }: { readonly line: Line }) {
  const { definition, change, home } = useEditing();
  const node = valueAt(definition, nodePointer(line));
  const devices = isObject(node) ? usedBy(node) : [];
  const names = listed(devices.map((device) => home.nameOf('device', device) ?? device));
  const allowed = valueAt(definition, '/allow_sensitive');
  const all = [...(isList(allowed) ? allowed : []), ...devices];
  return (
    <>
      <FieldError text={editorWords.needsConsent} />
      {devices.length === 0 ? null : (
        <button
          type="button"
          class="chip rule-consent"
          onClick={() => change(withValueAt(definition, '/allow_sensitive', all))}
        >
          <Icon name="check" size={16} />
          {editorWords.consent(names)}
        </button>
      )}
    </>
  );
}

function usedBy(node: JsonObject): readonly string[] {
  const devices = devicesOf(node);
  const one = deviceOf(node);
  return devices.length > 0 || one === '' ? devices : [one];
}
