import type { Dictionary } from '#web/strings/language/dictionary.ts';
import { audit } from './audit.ts';
import { energy } from './energy.ts';
import { history } from './history.ts';
import { arrange, device, home, notifications, wall, welcome } from './home.ts';
import { house } from './house.ts';
import { hub } from './hub.ts';
import { exporters, integrations } from './integrations.ts';
import { page } from './page.ts';
import { ruleDry, ruleEditor, ruleHooks, ruleKinds, ruleTemplates } from '#web/strings/de/rule/editor.ts';
import { ruleMembers, ruleWords } from '#web/strings/de/rule/member-words.ts';
import { place, rulePages, rulePast } from '#web/strings/de/rule/pages.ts';
import { rule, ruleJoins, ruleSays, ruleVerbs } from '#web/strings/de/rule/sentences.ts';
import { settings } from './settings.ts';
import { upkeep } from './upkeep.ts';

/** The whole of German. */
export const de: Dictionary = {
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
