import type { IconName } from '#web/icon-lines.ts';
import type { ReferenceKind } from '#web/client/rule-forms.ts';
import type { Look, Names } from '#web/rule/sentence/look.ts';

export type Option = {
  readonly value: string;
  readonly words: string;
  readonly note?: string | undefined;
  readonly icon?: IconName | undefined;
};

/** The home has these to choose from. */
export type RuleHome = Names & {
  readonly options: (to: ReferenceKind, isFit?: (look: Look) => boolean) => readonly Option[];
  readonly features: (device: string) => readonly Look[];
  readonly capabilities: () => readonly Option[];
  /** Ids that can get a notification, as they stand in a document. */
  readonly recipients: () => readonly Option[];
};
