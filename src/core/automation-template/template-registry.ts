import { fieldError, HubError } from '#base/hub-error.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import { type KeyedRecord, type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { type Template, TEMPLATE_LIMITS } from './template.ts';
import { faultWords } from '#words/faults.ts';

/** A template that somebody imported; its key is its id. */
export type OwnTemplate = KeyedRecord &
  Omit<Template, 'id'> & {
    /** Milliseconds on the hub's clock. */
    readonly changedAtMs: number;
  };

/** The templates of this home, beside those that come with the hub. */
export type TemplateRegistry = Awaited<ReturnType<typeof openTemplateRegistry>>;

type TemplateRegistryDeps = {
  readonly store: KeyedStore<OwnTemplate>;
  readonly turn: TurnQueue;
  readonly nowMs: () => number;
  readonly messages: () => TemplateMessages | undefined;
};

/** Automations of the hub's own templates tell these texts, by their ids. */
export type TemplateMessages = Readonly<Record<string, string>>;

/** Reads the templates of this home, which from then on change only here. */
export async function openTemplateRegistry({ nowMs, messages, ...deps }: TemplateRegistryDeps) {
  const records = await openKeyedRecords({ ...deps, noun: 'template', maxCount: TEMPLATE_LIMITS.imported });
  const requireRoom = (template: Template): void => {
    const others = records.all().filter(({ key }) => key !== template.id);
    const bytes = [template, ...others].reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)), 0);
    if (bytes > TEMPLATE_LIMITS.importedBytes)
      throw new HubError('LIMIT_REACHED', `All templates together can have ${TEMPLATE_LIMITS.importedBytes} bytes.`);
  };
  return {
    /** In the language of the hub; `undefined` for English. */
    messages,
    /** By id. */
    templates: (): readonly Template[] => records.all().map(templateOf),
    find: (id: string): Template | undefined => {
      const found = records.find(id);
      return found && templateOf(found);
    },
    /**
     * Takes one in, or a newer version of one. Throws HubError LIMIT_REACHED, and NAME_TAKEN for a version that is not
     * newer than the one of that id.
     */
    put: async (template: Template, terms: ChangeTerms = {}): Promise<{ readonly isNew: boolean }> => {
      const { id, ...rest } = template;
      const authorize = (): void => {
        terms.authorize?.();
        requireRoom(template);
      };
      if (records.find(id) === undefined) {
        await records.add({ ...rest, key: id, changedAtMs: nowMs(), revision: 1 }, { authorize });
        return { isNew: true };
      }
      const newer = (old: OwnTemplate): OwnTemplate => {
        requireNewer(old, template);
        return { ...rest, key: id, changedAtMs: nowMs(), revision: old.revision + 1 };
      };
      await records.change(id, newer, { authorize });
      return { isNew: false };
    },
    /** Throws HubError NOT_FOUND. Automations that were made of it stay as they are. */
    remove: async (id: string, terms?: ChangeTerms): Promise<void> => void (await records.remove(id, terms)),
  };
}

/** People see by the number that there is a newer version. */
function requireNewer(old: OwnTemplate, { version }: Template): void {
  if (version > old.version) return;
  throw new HubError('NAME_TAKEN', `The template of this id has version ${old.version}: a newer one must be higher.`, {
    errors: [fieldError('/version', 'INVALID_VALUE', ...faultWords('version_not_newer', { version: old.version }))],
  });
}

function templateOf({ key, changedAtMs: _changedAtMs, revision: _revision, ...rest }: OwnTemplate): Template {
  return { ...rest, id: key };
}
