import { expect, test } from 'vitest';
import { compileTemplate } from '#integrations/home-assistant-discovery/template/template.ts';

test.each([
  "{% set ns = namespace(l=[1]) %}{% for i in range(2000) %}{% set ns.l = ns.l|map('int') %}{% endfor %}{{ ns.l|list }}",
  "{% set ns = namespace(l=[1]) %}{% for i in range(1500) %}{% set ns.l = ns.l|map('int')|select %}{% endfor %}{{ ns.l|list }}",
])('filters within filters beyond the stack are a fault of the template: %s', (source) => {
  const template = compileTemplate(source, { nowMs: () => 0, zoneOffset: () => 0 });
  if ('fault' in template) throw new Error(template.message);
  expect(template.render(new Map())).toMatchObject({ fault: 'budget' });
});
