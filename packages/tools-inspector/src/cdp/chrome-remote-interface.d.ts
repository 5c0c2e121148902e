// The package brings no types of its own; this is the slice that is used.
declare module 'chrome-remote-interface' {
  interface Client {
    /** `failed` is an error of the connection, `true` for an error of the protocol, and falsy otherwise. */
    send(
      method: string,
      params: object | undefined,
      callback: (failed: unknown, answer: unknown) => void,
    ): void;
    on(
      name: 'event',
      listener: (event: { readonly method: string; readonly params?: unknown }) => void,
    ): void;
    on(name: 'disconnect', listener: () => void): void;
    close(): Promise<void>;
  }
  interface Options {
    /** A WebSocket URL. */
    readonly target: string;
    /** Uses the protocol that comes with the package instead of asking the other side for it. */
    readonly local: true;
  }
  function CDP(options: Options): Promise<Client>;
  export default CDP;
}
