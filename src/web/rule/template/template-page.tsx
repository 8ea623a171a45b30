import type { Automation, AutomationSaved } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { type TemplateShown, useTemplate } from './use-template.ts';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { isOwn, useRules } from '#web/rule/use-rules.ts';
import { ExportButton } from '#web/rule/transfer/export-button.tsx';
import { templateFile } from '#web/rule/transfer/transfer-file.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTemplates as templateWords } from '#web/strings/en/rule/templates.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { useState } from 'preact/hooks';
import { FormFrame } from '#web/form/form-frame.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { Loaded } from '#web/parts/loaded.tsx';
import type { Json } from '#web/rule/sentence/json.ts';
import { useLeaving } from '#web/rule/use-leaving.ts';
import { missingOf } from './input-options.ts';
import { TemplateInput } from './template-input.tsx';
import { useTrial } from './use-trial.ts';

/** One template with its holes: for a new automation, or for one that was made of it. */
export function TemplatePage({ params }: PageProps) {
  const { router } = useHub();
  const id = params['id'] ?? '';
  const rule = new URLSearchParams(router.place.value.query).get('automation');
  return rule === null ? <NewOne key={id} id={id} /> : <FillAnew key={`${id} ${rule}`} id={id} rule={rule} />;
}

function NewOne({ id }: { readonly id: string }) {
  const { router } = useHub();
  const { again } = useRules();
  const reading = useTemplate(id);
  return (
    <div class="page narrow">
      <PageHead
        title={reading.value?.name ?? templateWords.title}
        back={{ href: '/rule_template', label: templateWords.all }}
      />
      <ReadingView of={reading}>
        {(template) => (
          <>
            <TemplateForm
              template={template}
              onSaved={({ selector }) => {
                void again();
                router.go(`/rule/${selector}`, 'replace');
              }}
            />
            <div class="row-buttons">
              <ExportButton
                path={`/automation_template/${encodeURIComponent(id)}`}
                name={id}
                label={transferWords.exportOne}
                take={templateFile}
              />
            </div>
          </>
        )}
      </ReadingView>
    </div>
  );
}

function FillAnew({ id, rule: selector }: { readonly id: string; readonly rule: string }) {
  const { account, router } = useHub();
  const template = useTemplate(id);
  const rule = useReading<Automation>(`/automation/${encodeURIComponent(selector)}`);
  const found = rule.value;
  return (
    <div class="page narrow">
      <PageHead
        title={found?.name ?? rulePageWords.one}
        back={{ href: `/rule/${selector}`, label: rulePageWords.one }}
      />
      <ReadingView of={found === undefined ? { ...rule, value: undefined } : template}>
        {(value) =>
          found?.template?.id === id && isOwn(account.me.value, found) ? (
            <TemplateForm
              template={value}
              rule={found}
              onSaved={(saved) => router.go(`/rule/${saved.selector}`, 'replace')}
            />
          ) : (
            <Notice text={templateWords.gone} />
          )
        }
      </ReadingView>
    </div>
  );
}

type Values = Readonly<Record<string, Json>>;
type FormProps = {
  readonly template: TemplateShown;
  /** Which is brought up to date; absent to make a new one. */
  readonly rule?: Automation;
  readonly onSaved: (saved: AutomationSaved) => void;
};

const loadPreview = async () => (await import('./trial-preview.tsx')).TrialPreview;

/** The holes of a template, the sentence that comes of them, and the way to keep it. */
function TemplateForm({ template, rule, onSaved }: FormProps) {
  const { client, messages } = useHub();
  const path = `/automation_template/${template.id}`;
  const [first] = useState(() => firstValues(template, rule));
  const [values, setValues] = useState(first);
  const [hasTried, setHasTried] = useState(false);
  const form = useForm(['name', ...Object.keys(template.inputs).map((one) => `/inputs/${one}`)]);
  const name = useField(form, 'name', template.name);
  const missing = missingOf(template.inputs, values);
  // An input without a value says so: it would be as it was, or as usual.
  const inputs = Object.fromEntries(Object.keys(template.inputs).map((one) => [one, values[one] ?? null]));
  const trial = useTrial(path, missing.length > 0 ? null : inputs, rule?.id);
  const isChanged = JSON.stringify(values) !== JSON.stringify(first);
  const letGo = useLeaving(isChanged || name.value !== template.name);
  const save = async (): Promise<void> => {
    const body = rule === undefined ? { inputs, name: name.value.trim() } : { inputs, automation: rule.id };
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
        if (missing.length === 0) form.submit(save, rule === undefined ? { name: name.value } : {});
      }}
    >
      <p class="soft">{template.description}</p>
      {rule === undefined ? <TextField label={rulePageWords.name} {...name} input={NAME_INPUT} /> : null}
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
      <div class="form-buttons">
        <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
          {form.isBusy ? rulePageWords.saving : templateWords.make}
        </button>
      </div>
    </FormFrame>
  );
}

/** Begins with what an automation has been filled with, else with what is usual. */
function firstValues({ inputs }: TemplateShown, rule: Automation | undefined): Values {
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
