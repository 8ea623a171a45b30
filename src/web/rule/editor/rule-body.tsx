import { useEffect, useRef, useState } from 'preact/hooks';
import type { BodyPart } from '#web/client/rule-forms.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import type { Hole, Piece } from '#web/rule/sentence/hole.ts';
import {
  inside,
  isList,
  type Json,
  valueAt,
  withAdded,
  withMoved,
  withValueAt,
  type JsonObject,
} from '#web/rule/sentence/json.ts';
import { type Body, type Line, lineOf, lineWords } from '#web/rule/sentence/sentence.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { memberLabel } from '#web/strings/rule/member-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { QUICK } from './blank.ts';
import { useEditing, type LineActions } from './editing.ts';
import { LineFaults } from './line-faults.tsx';

const loadKindSheet = async () => (await import('./kind-sheet.tsx')).KindSheet;
const loadLineSheet = async () => (await import('./line-sheet.tsx')).LineSheet;
const loadHoleSheet = async () => (await import('./hole-sheet.tsx')).HoleSheet;
/** A person opens one of these next. */
export const SHEETS = [loadHoleSheet, loadKindSheet, loadLineSheet];

/** Triggers, conditions or steps, one below the other, each a sentence with holes. */
export function RuleBody({ body }: { readonly body: Body }) {
  const { definition, change, voice, open, setOpen } = useEditing();
  const element = useRef<HTMLDivElement>(null);
  /** How many lines there were when one was added; the page may draw itself before that one is there. */
  const addedTo = useRef<number | null>(null);
  useEffect(() => {
    if (addedTo.current === null || addedTo.current === body.lines.length || open !== null) return;
    addedTo.current = null;
    // The button that was pressed may be gone: it is offered only while there is nothing yet.
    if (document.activeElement === document.body) element.current?.querySelector<HTMLElement>('.rule-add')?.focus();
  });
  const { pointer, part, lines, joint, title, isList: isMany } = body;
  const isFull = !isMany && lines.length > 0;
  const add = (node: JsonObject): void => {
    addedTo.current = lines.length;
    change(isMany ? withAdded(definition, pointer, node) : withValueAt(definition, pointer, node));
    const at = isMany ? inside(pointer, lines.length) : pointer;
    const first = askedFirst(lineOf(voice, part, { value: node, pointer: at }));
    if (first !== undefined) setOpen({ pointer: first, before: definition, isNew: true });
  };
  return (
    <div class="rule-body" data-part={part} ref={element}>
      {title === '' ? null : <p class="rule-body-title">{title}</p>}
      {lines.length === 0 ? null : (
        <ol class="rule-lines">
          {lines.map((line, index) => (
            <RuleLine
              key={line.pointer}
              line={line}
              joint={index === 0 ? '' : joint === 'or' ? ruleWords.or : joint === 'and' ? ruleWords.and : ''}
              place={isMany ? { index, count: lines.length } : undefined}
            />
          ))}
        </ol>
      )}
      {isFull ? null : (
        <div class="rule-more">
          {TOP.has(pointer) && lines.length === 0 ? <QuickParts part={part} onAdd={add} /> : null}
          <AddPart part={part} label={editorWords.add(part, lines.length > 0)} onAdd={add} />
        </div>
      )}
    </div>
  );
}

const TOP: ReadonlySet<string> = new Set(['/triggers', '/conditions', '/steps']);
/** These are filled in at first, but hardly ever with what a person wants. */
const GUESSED: ReadonlySet<string> = new Set(['at', 's', 'modes']);

/** The hole of a new line that asks first. */
function askedFirst({ pieces }: Line): string | undefined {
  return holesIn(pieces).find(({ words, name }) => words === ruleWords.empty || GUESSED.has(name))?.pointer;
}

/** Offers the parts that most automations have, while there is nothing yet: one tap each. */
function QuickParts({ part, onAdd }: Pick<AddProps, 'part' | 'onAdd'>) {
  return (
    <>
      {QUICK[part].map(([name, icon, node]) => (
        <button key={name} type="button" class="chip" onClick={() => onAdd(node)}>
          <Icon name={icon} size={18} />
          {editorWords.quick[name]}
        </button>
      ))}
    </>
  );
}

type LineProps = {
  readonly line: Line;
  readonly joint: string;
  /** Absent for what stands alone. */
  readonly place: { readonly index: number; readonly count: number } | undefined;
};

function RuleLine({ line, joint, place }: LineProps) {
  const { definition, change, open, setOpen } = useEditing();
  const { pointer, pieces, bodies } = line;
  const hole = open === null ? undefined : openOf(holesIn(pieces), open.pointer);
  const openHole = (at: string): void => setOpen({ pointer: at, before: definition, isNew: false });
  return (
    <li class="rule-line">
      <div class="rule-line-head">
        <p class="rule-sentence">
          {joint === '' ? null : <span class="rule-joint">{joint} </span>}
          <Pieces pieces={pieces} onOpen={openHole} />
        </p>
        <LineMenu
          line={line}
          words={lineWords(line)}
          place={place}
          onMove={(by) => change(withMoved(definition, pointer, by))}
          onRemove={() => change(withValueAt(definition, pointer, place === undefined ? null : undefined))}
        />
      </div>
      <LineFaults line={line} />
      {bodies.map((body) => (
        <RuleBody key={body.pointer} body={body} />
      ))}
      <More line={line} />
      {hole === undefined || open === null ? null : (
        <Loaded load={loadHoleSheet}>{(HoleSheet) => <HoleSheet line={line} hole={hole} open={open} />}</Loaded>
      )}
    </li>
  );
}

/** The hole there; of a form that has several, the first. */
function openOf(holes: readonly Hole[], pointer: string): Hole | undefined {
  return holes.find((one) => one.pointer === pointer) ?? holes.find((one) => one.pointer.startsWith(`${pointer}/`));
}

function holesIn(pieces: readonly Piece[]): readonly Hole[] {
  return pieces.filter((piece) => typeof piece !== 'string');
}

const COMMA = /^[,;:.)]/;

/** Stays on the line of the hole before it. */
function commaAfter(piece: Piece | undefined): string {
  return typeof piece === 'string' ? (COMMA.exec(piece)?.[0] ?? '') : '';
}

type PiecesProps = { readonly pieces: readonly Piece[]; readonly onOpen: (pointer: string) => void };

/** A sentence whose holes are buttons. */
function Pieces({ pieces, onOpen }: PiecesProps) {
  const { faults } = useEditing();
  return (
    <>
      {pieces.map((piece, index) =>
        typeof piece === 'string' ? (
          <span key={index}>{typeof pieces[index - 1] === 'string' ? piece : piece.replace(COMMA, '')}</span>
        ) : (
          <span key={index} class="hole-place">
            <button
              type="button"
              class="hole"
              data-empty={piece.words === ruleWords.empty}
              data-fault={faults.some(({ pointer, isWarning }) => !isWarning && pointer === piece.pointer)}
              aria-label={editorWords.hole(
                memberLabel(piece.say, piece.name),
                piece.words === ruleWords.empty ? editorWords.nothingYet : piece.words,
              )}
              aria-haspopup="dialog"
              onClick={() => onOpen(piece.pointer)}
            >
              <bdi>{piece.words}</bdi>
            </button>
            {commaAfter(pieces[index + 1])}
          </span>
        ),
      )}
    </>
  );
}

/** Offers more of what a step with several ways can have. */
function More({ line: { part, word, pointer } }: { readonly line: Line }) {
  const { definition, change } = useEditing();
  if (part !== 'step' || (word !== 'choose' && word !== 'parallel')) return null;
  const at = inside(pointer, word);
  const list = word === 'choose' ? inside(at, 'cases') : inside(at, 'branches');
  const ways = valueAt(definition, list);
  const count = isList(ways) ? ways.length : 0;
  const other = inside(at, 'else');
  const hasElse = valueAt(definition, other) !== undefined;
  const blank: Json = word === 'choose' ? { if: null, ['then']: [] } : [];
  return (
    <div class="rule-more">
      <button type="button" class="chip" onClick={() => change(withAdded(definition, list, blank))}>
        <Icon name="plus" size={16} />
        {word === 'choose' ? editorWords.addCase : editorWords.addBranch}
      </button>
      {word === 'choose' ? (
        <button
          type="button"
          class="chip"
          onClick={() => change(withValueAt(definition, other, hasElse ? undefined : []))}
        >
          <Icon name={hasElse ? 'minus' : 'plus'} size={16} />
          {hasElse ? editorWords.dropElse : editorWords.addElse}
        </button>
      ) : null}
      {count > 1 ? (
        <button
          type="button"
          class="chip"
          onClick={() => change(withValueAt(definition, inside(list, count - 1), undefined))}
        >
          <Icon name="minus" size={16} />
          {word === 'choose' ? editorWords.dropCase : editorWords.dropBranch}
        </button>
      ) : null}
    </div>
  );
}

type AddProps = { readonly part: BodyPart; readonly label: string; readonly onAdd: (node: JsonObject) => void };

/** The way to one trigger, condition or step more. */
function AddPart(props: AddProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" class="chip rule-add" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Icon name="plus" size={16} />
        {props.label}
      </button>
      {isOpen ? (
        <Loaded load={loadKindSheet}>{(Sheet) => <Sheet {...props} onClose={() => setIsOpen(false)} />}</Loaded>
      ) : null}
    </>
  );
}

/** The way to what can be done with a whole line. */
function LineMenu(actions: LineActions) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="button button-plain button-icon rule-menu"
        aria-label={editorWords.menuOf(actions.words)}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <Icon name="edit" size={18} />
      </button>
      {isOpen ? (
        <Loaded load={loadLineSheet}>{(Sheet) => <Sheet {...actions} onClose={() => setIsOpen(false)} />}</Loaded>
      ) : null}
    </>
  );
}
