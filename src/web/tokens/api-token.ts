export type ApiToken = {
  readonly id: string;
  readonly name: string;
  readonly user: { readonly id: string };
  readonly scopes: readonly string[];
  readonly rooms: readonly string[] | null;
  readonly devices: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_address: string | null;
};
/** The one answer that has the token itself. */
export type AddedApiToken = ApiToken & { readonly token: string };
