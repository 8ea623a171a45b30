import { type ComponentType, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Member } from '#web/rule/sentence/form.ts';
import type { Hole, Voice } from '#web/rule/sentence/hole.ts';
import type { Json, Spot } from '#web/rule/sentence/json.ts';
import type { Body, Line } from '#web/rule/sentence/sentence.ts';
import type { Fault } from './faults.ts';
import type { RuleHome } from './rule-home.ts';

export type ControlProps = {
  readonly label: string;
  readonly member: Member;
  readonly spot: Spot<Json | undefined>;
  /** What the sentence around it is about. */
  readonly hole: Hole;
  readonly onValue: (value: Json | undefined) => void;
};

/** These can be done with a line, where it stands. */
export type LineActions = {
  readonly line: Line;
  readonly words: string;
  /** Absent for what stands alone. */
  readonly place: { readonly index: number; readonly count: number } | undefined;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
};

/** The hole whose sheet is open. */
export type OpenHole = {
  readonly pointer: string;
  /** `Cancel` puts this back. */
  readonly before: Json;
  /** Its line was added just now: without a choice it goes again. */
  readonly isNew: boolean;
};

/** A definition that is being edited. */
export type Editing = {
  readonly definition: Json;
  readonly change: (definition: Json) => void;
  readonly home: RuleHome;
  readonly voice: Voice;
  readonly faults: readonly Fault[];
  /** One hole at a time is open, in whichever line. */
  readonly open: OpenHole | null;
  readonly setOpen: (open: OpenHole | null) => void;
  /** Conditions stand in operands again. */
  readonly RuleBody: ComponentType<{ readonly body: Body }>;
};

const EditingContext = createContext<Editing | null>(null);
export const EditingProvider = EditingContext.Provider;

export function useEditing(): Editing {
  const editing = useContext(EditingContext);
  if (editing === null) throw new Error('there is no editor around this component');
  return editing;
}

const ControlContext = createContext<ComponentType<ControlProps> | null>(null);
/** The control that fits a member, for what stands inside one: operands have members of their own. */
export const ControlProvider = ControlContext.Provider;

export function useControl(): ComponentType<ControlProps> {
  const control = useContext(ControlContext);
  if (control === null) throw new Error('there is no control around this component');
  return control;
}

const MoreContext = createContext(true);
/** Whether a sheet shows what few people need: where a value comes from, other ways to say the same. */
export const MoreProvider = MoreContext.Provider;

export function useMore(): boolean {
  return useContext(MoreContext);
}
