declare const roomId: unique symbol;
export type RoomId = string & { readonly [roomId]: never };

/** A room of the home. Only the room registry writes it. */
export type Room = {
  readonly id: RoomId;
  readonly selector: string;
  readonly name: string;
  /** Words of the page's own set of icons, so that any word is taken. */
  readonly icon?: string | null | undefined;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'room.added': { readonly room: Room };
    'room.changed': { readonly room: Room };
    'room.removed': { readonly room: Room };
  }
}
