import type { AutomationTemplate, AutomationTemplateSummary } from '#web/client/api.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';
import { hasOwn } from '#web/since-2021.ts';
import { templateTexts } from '#words/en/templates.ts';

export function useTemplates(): Reading<readonly AutomationTemplateSummary[]> {
  return useReading<readonly AutomationTemplateSummary[]>('/automation_template', {
    shown: (templates) => templates.map(summaryIn),
  });
}

export function useTemplate(id: string): Reading<AutomationTemplate> {
  return useReading<AutomationTemplate>(`/automation_template/${encodeURIComponent(id)}`, { shown: templateIn });
}

type Texts = Readonly<Record<string, { readonly label: string; readonly hint?: string }>>;

/** The words for a template that comes with the hub; what people wrote stays as it is. */
function textsOf({ id, builtin }: AutomationTemplateSummary) {
  return builtin && hasOwn(templateTexts, id) ? templateTexts[id as keyof typeof templateTexts] : undefined;
}

function summaryIn<Summary extends AutomationTemplateSummary>(template: Summary): Summary {
  const { name, description } = textsOf(template) ?? template;
  return { ...template, name, description };
}

function templateIn(template: AutomationTemplate): AutomationTemplate {
  const texts: Texts = textsOf(template)?.inputs ?? {};
  const inputs = Object.entries(template.inputs).map(([name, input]) => [name, { ...input, ...texts[name] }]);
  return { ...summaryIn(template), inputs: Object.fromEntries(inputs) };
}
