declare const roomId: unique symbol;
export type RoomId = string & { readonly [roomId]: never };

/** A room of the home. Owned and written by the room registry alone. */
export type Room = {
  readonly id: RoomId;
  readonly selector: string;
  readonly name: string;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};
