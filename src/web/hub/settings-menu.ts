import type { IconName } from '#web/icon-lines.ts';
import { placeOf, RIGHT_OF_PAGE } from '#web/router.ts';
import type { Account } from '#web/state/account/account.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { arrange as arrangeWords } from '#web/strings/en/home/arrange.ts';
import { wall as wallWords } from '#web/strings/en/home/wall.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { place as placeWords } from '#web/strings/en/place.ts';
import { timeWords } from '#web/strings/formats.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { walls as wallsWords } from '#web/strings/en/settings/walls.ts';
import type { Entry, Words } from './entry-match.ts';

const { menu, look, account, session, tokens, hub, people, roles, limits } = settingsWords;
const { quiet, quietOn, channels, builtIns } = notificationWords;
const { favorites, devices, icon } = arrangeWords;
const { kinds, integrations, bridge, health, exporters, backup, audit } = settingsWords;
const { keep, recording, tabs } = historyWords;

type Group = { readonly title: string; readonly entries: readonly Entry[] };
type Row = readonly [href: string, icon: IconName, title: string, text?: string | undefined, ...inside: Words[]];

/** A guest puts no tablet on the wall of others. */
const WALLS: Row = ['/settings/walls', 'desk', wallsWords.title, wallsWords.menuText, wallWords.title];

/** The pages of the settings, in their order: one line each. `RIGHT_OF_PAGE` has the right that each needs. */
const groups = ({ hub: { value: own }, me, can }: Account): readonly (readonly [title: string, ...rows: Row[]])[] => [
  [
    menu.you,
    ['/settings/account', 'user', menu.account, accountText(me.value), account],
    ['/settings/appearance', 'palette', look.title, look.menuText, look],
    [
      '/settings/notifications',
      'bell',
      menu.notifications,
      can('notification:manage') ? menu.notificationsText : quiet,
      quiet,
      quietOn,
      channels,
      can('notification:manage') ? builtIns : '',
    ],
    ['/settings/sessions', 'phone', menu.sessions, menu.sessionsText, session],
    ['/settings/tokens', 'key', menu.tokens, menu.tokensText, tokens.add],
  ],
  [
    menu.home,
    ['/settings/hub', 'hearth', menu.name, own?.name, hub],
    [
      '/settings/rooms',
      'room',
      arrangeWords.title,
      can('room:manage') ? arrangeWords.menuText : arrangeWords.menuTextOwn,
      favorites,
      devices,
      icon,
    ],
    ['/settings/place', 'sun', menu.place, menu.placeText, placeWords],
    ['/settings/people', 'people', menu.people, menu.peopleText, people, roles, limits],
    ...(can('automation:read') ? [WALLS] : []),
    ['/settings/modes', 'moon', menu.modes, menu.modesText, houseWords.edit],
    ['/settings/energy', 'plug', menu.energy, menu.energyText, energyWords.set],
  ],
  [
    menu.devices,
    ['/add', 'plus', pageWords.pairing.title, pageWords.pairing.text, pageWords.pairing, kinds],
    ['/settings/integrations', 'link', menu.integrations, menu.integrationsText, integrations, bridge],
    ['/settings/groups', 'light', menu.groups, menu.groupsText, houseWords.groups],
  ],
  [menu.byItself, ['/scene', 'palette', menu.scenes, menu.scenesText], ['/rule', 'clock', menu.rules, menu.rulesText]],
  [
    menu.hub,
    ['/settings/health', 'meter', menu.health, menu.healthText, health],
    ['/settings/history', 'chart', keep.title, keep.menuText, keep, recording],
    ['/settings/exporters', 'link', menu.exports, menu.exportsText, exporters],
    ['/settings/backup', 'archive', menu.backup, menu.backupText, backup],
    ['/settings/audit', 'clock', menu.audit, menu.auditText, audit],
  ],
];

/** Pages beside the settings that the search of the home finds. */
const OTHER_PAGES: readonly Row[] = [
  ['/history', 'chart', pageWords.nav.history, undefined, tabs.charts],
  ['/history/log', 'clock', tabs.log],
  ['/history/energy', 'plug', tabs.energy, undefined, energyWords.flows, energyWords.costOf],
];

const entryOf = ([href, icon, title, text, ...inside]: Row): Entry => ({ href, icon, title, text, inside });

/** The pages of the settings that this person may open, in their groups. */
export function menuFor(account: Account): readonly Group[] {
  return groups(account).flatMap(([title, ...rows]) => {
    const entries = ownOf(rows, account);
    return entries.length === 0 ? [] : [{ title, entries }];
  });
}

/** The pages of the settings and beside them that this person may open. */
export function pagesFor(account: Account): readonly Entry[] {
  return [...ownOf(OTHER_PAGES, account), ...menuFor(account).flatMap(({ entries }) => entries)];
}

/** Guests read under the settings until when the home is theirs. */
function accountText(me: Account['me']['value']): string {
  const until = me?.valid_until ?? null;
  return until === null ? menu.accountText : homeWords.stay(timeWords(until, 'dayAndClock'));
}

/** Guests have no scripts, and find their scenes on the home page. */
const NOT_FOR_GUESTS: ReadonlySet<string> = new Set(['/settings/tokens', '/scene']);

function ownOf(rows: readonly Row[], { can, me }: Account): readonly Entry[] {
  const isOwn = ({ href }: Entry): boolean => {
    if (me.value?.role === 'guest' && NOT_FOR_GUESTS.has(href)) return false;
    const { name } = placeOf(href);
    const needs = name === null ? undefined : RIGHT_OF_PAGE[name];
    return needs === undefined || can(needs);
  };
  return rows.map(entryOf).filter(isOwn);
}
