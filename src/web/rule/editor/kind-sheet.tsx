import type { BodyPart } from '#web/client/rule-forms.ts';
import type { IconName } from '#web/icon-lines.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { ruleKinds as kindWords } from '#web/strings/en/rule/kinds.ts';
import { blankPart, KINDS, USUAL } from './blank.ts';

type Props = {
  readonly part: BodyPart;
  readonly label: string;
  readonly onAdd: (node: JsonObject) => void;
  readonly onClose: () => void;
};

/** Asks which kind of trigger, condition or step comes next: first those that people use. */
export function KindSheet({ part, label, onAdd, onClose }: Props) {
  return (
    <Dialog title={label} onClose={onClose}>
      {(close) => {
        const row = (kind: string) => (
          <li key={kind}>
            <button
              type="button"
              class="row rule-kind"
              onClick={() => {
                close();
                onAdd(blankPart(part, kind));
              }}
            >
              <KindIcon kind={kind} />
              <span class="row-text">
                <span class="row-title">{kindWords[part][kind]?.[0] ?? kind}</span>
                <span class="row-note">{kindWords[part][kind]?.[1]}</span>
              </span>
            </button>
          </li>
        );
        return (
          <div class="rule-kinds">
            <ul class="rows">{USUAL[part].map(row)}</ul>
            <details class="help">
              <summary>{editorWords.moreKinds}</summary>
              <ul class="rows">{KINDS[part].slice(USUAL[part].length).map(row)}</ul>
            </details>
          </div>
        );
      }}
    </Dialog>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  feature: 'device',
  threshold: 'chart',
  occurrence: 'remote',
  time: 'clock',
  sun: 'sun',
  mode: 'moon',
  presence: 'people',
  presence_note: 'people',
  hook: 'link',
  request: 'link',
  variable: 'archive',
  availability: 'offline',
  hub: 'hearth',
  and: 'check',
  not: 'close',
  trigger: 'info',
  scene: 'palette',
  compare: 'meter',
  changed: 'edit',
  command: 'light',
  delay: 'clock',
  wait_for: 'eye',
  notify: 'bell',
  restore: 'back',
  stop: 'stop',
};
/** Drawn like those of the page, which has no need for them elsewhere. */
const LINES: Readonly<Record<string, string>> = {
  automation: 'M8 5.5v13l10.5-6.5L8 5.5Z',
  run: 'M8 5.5v13l10.5-6.5L8 5.5Z',
  step: 'M7 3.5h10M7 20.5h10M8 3.5v3.500l4 5 4-5V3.500M8 20.500V17l4-5 4 5v3.500',
  or: 'M4 12h5l5-6h6M9 12l5 6h6',
  choose: 'M4 12h5l5-6h6M9 12l5 6h6M17.500 3.500 20 6l-2.500 2.500M17.500 15.500 20 18l-2.500 2.500',
  repeat: 'M19 5v4.500h-4.500M5 19v-4.500h4.500M18.500 9.500a7 7 0 0 0-12-2.500M5.500 14.500a7 7 0 0 0 12 2.500',
  parallel: 'M4 8h16M4 16h16M17 5l3 3-3 3M17 13l3 3-3 3',
};

function KindIcon({ kind }: { readonly kind: string }) {
  return <Icon name={ICONS[kind] ?? 'device'} line={LINES[kind]} />;
}
