import type { AutomationTemplate } from '#web/client/api.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';
import { hubTexts } from '#web/strings/en/hub/hub-texts.ts';

export function useTemplate(id: string): Reading<AutomationTemplate> {
  return useReading<AutomationTemplate>(`/automation_template/${encodeURIComponent(id)}`, { shown: hubTexts.answer });
}
