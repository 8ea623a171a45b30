import { isFlag, isId, isNumber, isObject, isText, listOf, orNull, recordOf } from '#core/records/record-check.ts';
import type { Scene, SceneId } from '#core/scene/scene.ts';
import type { Database } from '#storage/engine/database.ts';
import { isIssuerOrNull } from '#core/cause/issuer.ts';
import { plain, recordColumnsOf, saveSql } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Scene>({ id: plain('id'), selector: plain('selector') });
const SAVE = saveSql('scene', COLUMNS.names);

const isSceneRecord = recordOf<Scene>({
  name: isText,
  roomId: orNull(isId),
  icon: orNull(isText),
  transitionMs: orNull(isNumber),
  revision: isNumber,
  createdAtMs: isNumber,
  updatedAtMs: isNumber,
  isBuiltIn: isFlag,
  createdBy: isIssuerOrNull,
  targets: listOf(
    recordOf<Scene['targets'][number]>({
      deviceId: isId,
      selector: isText,
      name: isText,
      set: isObject,
      transitionMs: orNull(isNumber),
    }),
  ),
});

export const sceneTable = {
  open: openSceneTable,
  checks: [{ since: 18, table: 'scene', json: { record: isSceneRecord } }],
} satisfies StoredNoun;

function openSceneTable({ database, sound }: NounDeps) {
  return {
    loadScenes: read((): Scene[] =>
      sound('scene', database.all('SELECT * FROM scene ORDER BY id')).map(COLUMNS.fromRow),
    ),
    saveScene: write((scene: Scene): void => writeScene(database, scene)),
    deleteScene: write((id: SceneId): void => void database.run('DELETE FROM scene WHERE id = ?', [id])),
  };
}

/** Writes one of them, inside the transaction of the caller. */
export function writeScene(database: Database, scene: Scene): void {
  database.run(SAVE, COLUMNS.valuesOf(scene));
}
