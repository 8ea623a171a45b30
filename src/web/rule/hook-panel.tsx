import { useState } from 'preact/hooks';
import type { Automation, HookSecret } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { useMoment } from './next-times.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';
import { ruleHooks as hookWords } from '#web/strings/en/rule/hooks.ts';
import { CopyField } from '#web/tokens/copy-field.tsx';

type Props = { readonly rule: Automation; readonly onChanged: () => Promise<void> };

/** The address of each hook of an automation, and its secret. */
export function HookPanel({ rule, onChanged }: Props) {
  const triggers = hookTriggers(rule);
  return (
    <section class="panel rule-hooks" aria-label={hookWords.title}>
      <h2 class="form-title">{hookWords.title}</h2>
      <p class="soft">{hookWords.text}</p>
      {triggers.map((trigger) => (
        <Hook key={trigger} {...{ rule, trigger, onChanged }} isOnly={triggers.length === 1} />
      ))}
    </section>
  );
}

/** The ids of the triggers that other programs call. */
function hookTriggers({ triggers }: Pick<Automation, 'triggers'>): readonly string[] {
  return triggers.flatMap(({ type, id }) => (type === 'hook' && typeof id === 'string' ? [id] : []));
}

type HookProps = Props & { readonly trigger: string; readonly isOnly: boolean };

function Hook({ rule, trigger, isOnly, onChanged }: HookProps) {
  const { client, messages, questions } = useHub();
  const [made, setMade] = useState<string | null>(null);
  // The id, which a new name leaves as it is.
  const path = `/automation/${rule.id}/hook/${encodeURIComponent(trigger)}`;
  const address = `${location.origin}/api/v1${path}`;
  const kept = rule.hooks?.find((hook) => hook.trigger === trigger);
  const hasOne = kept !== undefined && kept.secret !== 'none';
  const { run, isRunning } = useReportedTask(async (method: 'PUT' | 'DELETE') => {
    const answer = await client.call<HookSecret | undefined>(method, `${path}/secret`);
    setMade(answer?.secret ?? null);
    if (method === 'DELETE') messages.show(hookWords.tookBack);
  }, onChanged);
  return (
    <div class="form">
      <CopyField label={isOnly ? hookWords.address : hookWords.addressOf(trigger)} value={address} hasFocus={false} />
      <SecretState hook={kept} />
      {made === null ? null : (
        <>
          <Notice tone="warn" text={hookWords.once} />
          <CopyField key={made} label={hookWords.secret} value={made} />
          <code class="code code-block">{hookWords.call(address, made)}</code>
        </>
      )}
      {kept === undefined ? null : (
        <div class="row-buttons">
          <button
            type="button"
            class="button"
            aria-disabled={isRunning}
            onClick={() =>
              hasOne
                ? questions.ask(
                    { title: hookWords.renewQuestion, text: hookWords.renewText, confirm: hookWords.renew },
                    () => run('PUT'),
                  )
                : run('PUT')
            }
          >
            {hasOne ? hookWords.renew : hookWords.make}
          </button>
          {hasOne ? (
            <button
              type="button"
              class="button button-danger"
              aria-disabled={isRunning}
              onClick={() =>
                questions.ask(
                  { title: hookWords.takeBackQuestion, text: hookWords.takeBackText, confirm: hookWords.takeBack },
                  () => run('DELETE'),
                )
              }
            >
              {hookWords.takeBack}
            </button>
          ) : null}
        </div>
      )}
    </div>
  );
}

type Hook = NonNullable<Automation['hooks']>[number];

function SecretState({ hook }: { readonly hook: Hook | undefined }) {
  const moment = useMoment();
  if (hook === undefined) return <p class="soft">{hookWords.secretFor}</p>;
  const { secret, made_by: maker, made_at: at } = hook;
  if (secret === 'none' || maker === null || at === null) return <p class="soft">{hookWords.none}</p>;
  if (secret === 'lapsed') return <Notice tone="warn" text={hookWords.lapsed(maker.name)} />;
  return <p class="soft">{hookWords.valid(moment(at), maker.name)}</p>;
}
