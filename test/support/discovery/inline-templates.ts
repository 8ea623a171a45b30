import type { LiveDeviceDeps } from '#integrations/home-assistant-discovery/live-device.ts';
import { createTemplates, type Elsewhere } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { createInterpreter } from '#integrations/home-assistant-discovery/template/template.ts';
import { BERLIN } from '#test/support/discovery/berlin.ts';

/** The interpreter without its thread, in the home of the judge: for tests in one process. */
export function createInlineTemplates(): Elsewhere {
  const render = createInterpreter(BERLIN.zoneOffset);
  return { render: (_owner, rendering) => render(rendering), rest: () => undefined };
}

/** What the templates of one device need. */
export function inlineDeps(): Pick<LiveDeviceDeps, 'templates' | 'strangenessOf'> {
  return {
    templates: createTemplates({
      elsewhere: createInlineTemplates(),
      nowMs: BERLIN.nowMs,
      onStrange: () => undefined,
    }),
    strangenessOf: () => undefined,
  };
}

export function atOnce<T>(result: T | Promise<T>): T {
  if (result instanceof Promise) throw new Error('a template was not rendered at once');
  return result;
}
