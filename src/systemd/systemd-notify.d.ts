declare module 'systemd-notify' {
  /** Runs the program systemd-notify; rejects with an error, or with what it complained of. */
  function systemdNotify(message: { readonly ready?: true; readonly status?: string }): Promise<unknown>;
  export = systemdNotify;
}
