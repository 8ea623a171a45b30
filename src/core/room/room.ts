declare const roomId: unique symbol;
export type RoomId = string & { readonly [roomId]: never };

/** A room of the home. Only the room registry writes it. */
export type Room = {
  readonly id: RoomId;
  readonly selector: string;
  readonly name: string;
  readonly revision: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};
