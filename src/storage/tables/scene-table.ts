import { isJsonObject, type JsonValue } from '#base/json.ts';
import { isUuid } from '#base/uuid.ts';
import type { Scene, SceneId } from '#core/scene/scene.ts';
import type { Database } from '#storage/engine/database.ts';
import { isIssuerOrNull } from '#core/cause/issuer.ts';
import { plain, recordColumnsOf, saveSql } from './columns.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = recordColumnsOf<Scene>({ id: plain('id'), selector: plain('selector') });
const SAVE = saveSql('scene', COLUMNS.names);

/** The scenes. Their ids sort in the order of creation. */
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

function isSceneRecord(record: JsonValue): boolean {
  if (!isJsonObject(record)) return false;
  const { name, roomId, icon, transitionMs, targets, createdBy } = record;
  return (
    typeof name === 'string' &&
    (roomId === null || (typeof roomId === 'string' && isUuid(roomId))) &&
    (icon === null || typeof icon === 'string') &&
    isNullOrNumber(transitionMs) &&
    ['revision', 'createdAtMs', 'updatedAtMs'].every((field) => typeof record[field] === 'number') &&
    typeof record['isBuiltIn'] === 'boolean' &&
    isIssuerOrNull(createdBy) &&
    Array.isArray(targets) &&
    targets.every(isTarget)
  );
}

function isTarget(target: JsonValue): boolean {
  if (!isJsonObject(target)) return false;
  const { deviceId, selector, name, set, transitionMs } = target;
  return (
    typeof deviceId === 'string' &&
    isUuid(deviceId) &&
    typeof selector === 'string' &&
    typeof name === 'string' &&
    set !== undefined &&
    isJsonObject(set) &&
    isNullOrNumber(transitionMs)
  );
}

function isNullOrNumber(value: JsonValue | undefined): boolean {
  return value === null || typeof value === 'number';
}
