import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import type { HomeView } from '#core/home-view/home-view.ts';
import { jsonOf } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

export const homeViewTable = {
  open: openHomeViews,
  checks: [{ since: 23, table: 'home_view', json: { record: isHomeView } }],
} satisfies StoredNoun;

function openHomeViews({ database, sound }: NounDeps) {
  return {
    loadHomeViews: read((): ReadonlyMap<string, Partial<HomeView>> => {
      const rows = sound('home_view', database.all('SELECT user, record FROM home_view'));
      return new Map(rows.map(({ user, record }) => [user as string, jsonOf(record) as unknown as Partial<HomeView>]));
    }),
    saveHomeView: write((user: string, view: HomeView): void => {
      // The user may have been removed meanwhile.
      const sql = 'INSERT OR REPLACE INTO home_view (user, record) SELECT id, ? FROM user WHERE id = ?';
      database.run(sql, [JSON.stringify(view), user]);
    }),
  };
}

function isHomeView(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { language = null } = record;
  if (language !== null && typeof language !== 'string') return false;
  return ['favorites', 'roomOrder', 'deviceOrder', 'hidden'].every((name) => {
    const ids = record[name];
    return Array.isArray(ids) && ids.every((id) => typeof id === 'string' && isUuid(id));
  });
}
