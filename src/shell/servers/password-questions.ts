/** Asking for passwords that are not stored any more: a web editor forgets its secrets with each reload, a keychain can be emptied. */
import type { OpenServers } from './open-servers';
import type { SavedServer } from './saved-servers';

/** Asks the user. undefined: no answer, or withdrawn by the signal. */
export type AskPassword = (server: SavedServer, signal: AbortSignal) => Promise<string | undefined>;

/** A question is withdrawn when its server is removed, or changed or added anew meanwhile: nobody waits for that answer any more. */
export class PasswordQuestions {
  private readonly open = new Map<string, { readonly server: SavedServer; readonly control: AbortController }>();
  private readonly listening: { dispose(): void };

  constructor(
    private readonly servers: Pick<OpenServers, 'onDidChange' | 'saved'>,
    private readonly askPassword: AskPassword,
  ) {
    this.listening = servers.onDidChange((serverId) => {
      if (serverId === null) void this.withdrawStale();
    });
  }

  async ask(server: SavedServer): Promise<string | undefined> {
    const control = new AbortController();
    this.open.get(server.id)?.control.abort();
    const question = { server, control };
    this.open.set(server.id, question);
    try {
      return await this.askPassword(server, control.signal);
    } finally {
      if (this.open.get(server.id) === question) this.open.delete(server.id);
    }
  }

  dispose(): void {
    this.listening.dispose();
    for (const { control } of this.open.values()) control.abort();
  }

  private async withdrawStale(): Promise<void> {
    for (const { server, control } of [...this.open.values()]) {
      const isGone = this.servers.saved.find(server.id) === undefined;
      if (isGone || (await this.servers.saved.password(server.id)) !== undefined) control.abort();
    }
  }
}
