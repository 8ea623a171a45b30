/** What a history did to the disk, in order. Files and folders are named by number, as inodes are; 0 is the root. */
export type DiskEvent =
  | { readonly type: 'write'; readonly file: number; readonly offset: number; readonly bytes: Buffer }
  | { readonly type: 'truncate'; readonly file: number; readonly size: number }
  /** A name appears (`node`) or vanishes (`null`). */
  | { readonly type: 'name'; readonly folder: number; readonly name: string; readonly node: number | null }
  | { readonly type: 'rename'; readonly from: Place; readonly to: Place; readonly node: number }
  | { readonly type: 'sync'; readonly node: number };

export type Place = { readonly folder: number; readonly name: string };

/** What lies on a disk: folders by their names, files by their bytes. */
export type DiskImage = {
  readonly folders: ReadonlyMap<number, ReadonlyMap<string, number>>;
  readonly files: ReadonlyMap<number, Buffer>;
};
