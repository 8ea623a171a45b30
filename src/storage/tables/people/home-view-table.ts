import { ifThere, isId, isText, listOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { HomeView } from '#core/home-view/home-view.ts';
import { jsonOf } from '#storage/tables/columns.ts';
import { read, write } from '#storage/tables/operation.ts';
import type { NounDeps, StoredNoun } from '#storage/tables/stored-noun.ts';

const isHomeView = recordOf<HomeView>({
  language: ifThere(orNull(isText)),
  favorites: listOf(isId),
  roomOrder: listOf(isId),
  deviceOrder: listOf(isId),
  hidden: listOf(isId),
});

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
