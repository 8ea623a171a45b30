import { useEffect, useState } from 'preact/hooks';
import type { AutomationImported } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type Task, useTask } from '#web/parts/use-task.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { useRules } from '#web/rule/use-rules.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { faultIfRefused, type FileFault } from './file-faults.tsx';
import { askedOf } from './transfer-file.ts';

export type Foreign = AutomationImported['unresolved'][number];
type Bundle = {
  /** What the hub would make of it; absent until it has said so. */
  readonly trial: AutomationImported | undefined;
  readonly fault: FileFault | undefined;
  /** All that was not found at first, by the name that `map` gives it: what was chosen stays in sight. */
  readonly asked: ReadonlyMap<string, Foreign>;
  readonly chosen: Readonly<Record<string, string>>;
  readonly choose: (key: string, value: string) => void;
  readonly take: Task<[]>;
};

const PATH = '/automation/import';

/** Automations of a file: the hub says what it would make of them after each choice, and makes them at the end. */
export function useBundle(body: JsonObject): Bundle {
  const { client, messages, router } = useHub();
  const { again } = useRules();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState<ReadonlyMap<string, Foreign>>(new Map());
  const [trial, setTrial] = useState<AutomationImported>();
  const [fault, setFault] = useState<FileFault>();
  const map = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''));
  const wanted = Object.keys(map).length === 0 ? body : { ...body, map };
  useEffect(() => {
    let isOld = false;
    void faultIfRefused(async () => {
      const found = await client.call<AutomationImported>('POST', `${PATH}?dry_run=true`, wanted);
      if (isOld) return;
      setTrial(found);
      setAsked((before) => new Map([...before, ...askedOf(found.unresolved)]));
    }).then((refused) => (isOld ? undefined : setFault(refused)));
    return () => {
      isOld = true;
    };
  }, [client, body, chosen]);
  const take = useTask(async () => {
    const refused = await faultIfRefused(async () => {
      const { automations } = await client.call<AutomationImported>('POST', PATH, wanted);
      messages.show(transferWords.taken(automations.length));
      await again();
      const [only] = automations;
      router.go(automations.length === 1 && only?.selector ? `/rule/${only.selector}` : '/rule');
    });
    setFault(refused);
  });
  return {
    trial,
    fault,
    asked,
    chosen,
    choose: (key, value) => setChosen((before) => ({ ...before, [key]: value })),
    take,
  };
}
