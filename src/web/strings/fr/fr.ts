import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { audit } from './audit.ts';
import { energy } from './energy.ts';
import { history } from './history.ts';
import { arrange, device, home, notifications, wall, welcome } from './home.ts';
import { house } from './house.ts';
import { hub } from './hub.ts';
import { exporters, integrations } from './integrations.ts';
import { page } from './page.ts';
import { ruleDry, ruleEditor, ruleHooks, ruleKinds, ruleTemplates } from '#web/strings/fr/rule/editor.ts';
import { ruleMembers, ruleWords } from '#web/strings/fr/rule/member-words.ts';
import { place, rulePages, rulePast } from '#web/strings/fr/rule/pages.ts';
import { rule, ruleJoins, ruleSays, ruleVerbs } from '#web/strings/fr/rule/sentences.ts';
import { settings } from './settings.ts';
import { upkeep } from './upkeep.ts';

/** The whole of French. */
export const fr: Dictionary = {
  page,
  home,
  welcome,
  wall,
  arrange,
  device,
  house,
  notifications,
  settings: { ...settings, ...integrations, ...upkeep, audit, exporters },
  energy,
  history,
  place,
  rule,
  rulePages,
  rulePast,
  ruleDry,
  ruleEditor,
  ruleHooks,
  ruleKinds,
  ruleMembers,
  ruleWords,
  ruleSays,
  ruleJoins,
  ruleVerbs,
  ruleTemplates,
  hub,
};
