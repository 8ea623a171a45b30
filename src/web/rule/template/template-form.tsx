import { useState } from 'preact/hooks';
import type { Automation, AutomationSaved, AutomationTemplate } from '#web/client/api.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Loaded } from '#web/parts/loaded.tsx';
import { Notice } from '#web/parts/notice.tsx';
import type { Json } from '#web/rule/sentence/json.ts';
import { useLeaving } from '#web/rule/use-leaving.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import { missingOf } from './input-options.ts';
import { TemplateInput } from './template-input.tsx';
import { useTrial } from './use-trial.ts';

type Values = Readonly<Record<string, Json>>;
type Props = {
  readonly template: AutomationTemplate;
  /** Which is brought up to date; absent to make a new one. */
  readonly rule?: Automation;
  readonly onSaved: (saved: AutomationSaved) => void;
};

const loadPreview = async () => (await import('./trial-preview.tsx')).TrialPreview;

/** The holes of a template, the sentence that comes of them, and the way to keep it. */
export function TemplateForm({ template, rule, onSaved }: Props) {
  const { client, messages } = useHub();
  const path = `/automation_template/${template.id}`;
  const [name, setName] = useState(template.name);
  const [first] = useState(() => firstValues(template, rule));
  const [values, setValues] = useState(first);
  const [hasTried, setHasTried] = useState(false);
  const form = useForm(['name', ...Object.keys(template.inputs).map((one) => `/inputs/${one}`)]);
  const missing = missingOf(template.inputs, values);
  // An input without a value says so: it would be as it was, or as usual.
  const inputs = Object.fromEntries(Object.keys(template.inputs).map((one) => [one, values[one] ?? null]));
  const trial = useTrial(path, missing.length > 0 ? null : inputs, rule?.id);
  const isChanged = JSON.stringify(values) !== JSON.stringify(first);
  const letGo = useLeaving(isChanged || name !== template.name);
  const save = async (): Promise<void> => {
    const body = rule === undefined ? { inputs, name: name.trim() } : { inputs, automation: rule.id };
    const saved = await client.call<AutomationSaved>('POST', `${path}/instantiate`, body);
    letGo();
    messages.show(rule === undefined ? templateWords.made(saved.name) : templateWords.taken(saved.name));
    onSaved(saved);
  };
  const faultOf = (one: string): string | undefined =>
    form.faults[`/inputs/${one}`] ??
    trial.faults.find(({ pointer }) => `${pointer}/`.startsWith(`/inputs/${one}/`))?.text;
  return (
    <FormFrame
      form={form}
      class="form rule-form"
      onSubmit={() => {
        setHasTried(true);
        if (missing.length === 0) form.submit(save, rule === undefined ? { name } : {});
      }}
    >
      <p class="soft">{template.description}</p>
      {rule === undefined ? (
        <TextField
          label={rulePageWords.name}
          value={name}
          onValue={setName}
          error={form.faults['name']}
          input={{ maxLength: 100 }}
        />
      ) : null}
      {Object.entries(template.inputs).map(([one, input]) => (
        <TemplateInput
          key={one}
          name={one}
          input={input}
          value={values[one]}
          error={faultOf(one)}
          onValue={(value) => setValues((before) => withValue(before, one, value))}
        />
      ))}
      <Loaded load={loadPreview}>
        {(TrialPreview) => (
          <TrialPreview missing={hasTried ? [] : missing} trial={trial} isUpdate={rule !== undefined} />
        )}
      </Loaded>
      {hasTried && missing.length > 0 ? (
        <Notice tone="danger" text={templateWords.missing(missing.join(', '))} />
      ) : null}
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <div class="form-buttons rule-save">
        <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
          {form.isBusy ? rulePageWords.saving : templateWords.make}
        </button>
      </div>
    </FormFrame>
  );
}

/** What an automation has been filled with, else what is usual. */
function firstValues({ inputs }: AutomationTemplate, rule: Automation | undefined): Values {
  const kept = (rule?.template?.inputs ?? {}) as Values;
  return Object.fromEntries(
    Object.entries(inputs).flatMap(([name, input]) => {
      const value =
        kept[name] ?? (rule === undefined || !input.optional ? (input.default as Json | undefined) : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function withValue(values: Values, name: string, value: Json | undefined): Values {
  if (value !== undefined) return { ...values, [name]: value };
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}
