import type { AutomationTemplate, AutomationTemplateSummary } from '#web/client/api.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';
import { hasOwn } from '#web/since-2021.ts';
import { inEnglish, type Worded } from '#web/strings/hub-text.ts';
import { templateTexts } from '#words/en/templates.ts';

/** A template in the language of the page. */
export type TemplateShown = Worded<AutomationTemplate>;
export type InputShown = TemplateShown['inputs'][string];
type SummaryShown = Worded<AutomationTemplateSummary>;

export function useTemplates(): Reading<readonly SummaryShown[]> {
  return useReading('/automation_template', {
    shown: (templates: readonly AutomationTemplateSummary[]) => templates.map(summaryIn),
  });
}

export function useTemplate(id: string): Reading<TemplateShown> {
  return useReading(`/automation_template/${encodeURIComponent(id)}`, { shown: templateIn });
}

type Texts = Readonly<Record<string, { readonly label: string; readonly hint?: string }>>;

/** The words for a template that comes with the hub; what people wrote stays as it is. */
function textsOf({ id, builtin }: Pick<AutomationTemplateSummary, 'id' | 'builtin'>) {
  return builtin && hasOwn(templateTexts, id) ? templateTexts[id as keyof typeof templateTexts] : undefined;
}

function summaryIn(template: AutomationTemplateSummary): SummaryShown {
  const said = inEnglish(template);
  const { name, description } = textsOf(template) ?? said;
  return { ...said, name, description };
}

function templateIn(template: AutomationTemplate): TemplateShown {
  const texts: Texts = textsOf(template)?.inputs ?? {};
  const said = inEnglish(template);
  const inputs = Object.entries(said.inputs).map(([name, input]) => [name, { ...input, ...texts[name] }]);
  return { ...said, ...summaryIn(template), inputs: Object.fromEntries(inputs) };
}
