/**
 * The passwords of the servers that the user added. Asks for them, keeps them for this window, stores them once a login
 * worked, and forgets refused ones.
 */
import { t } from '../../core/language';
import type { OpenServers } from './open-servers';
import { type SavedServer, nameLoginPlace } from './saved-server';
import { describeLogin, takesPassword } from '../../hosts/host';

interface PasswordWorld {
  /** @param keeps whether it will be stored, for the user to know. undefined: no answer, or the signal closed the box */
  readonly askPassword: (
    server: SavedServer,
    keeps: boolean,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
  /** Whether passwords may be stored at all. */
  readonly mayStore: () => boolean;
  /** From now on this text must not appear anywhere. */
  readonly hide: (password: string) => void;
  readonly offer: (sentence: string, button: string, act: () => Promise<void>) => void;
  readonly onFailure: (error: unknown) => void;
}

interface Known {
  readonly password: string;
  /** The address and the login that it may be sent for. */
  readonly place: string;
  readonly keeps: boolean;
}

interface Question {
  readonly place: string;
  readonly control: AbortController;
  readonly answer: Promise<string | undefined>;
  waiting: number;
}

export class ServerPasswords {
  /** Passwords until the window closes, by id of the server. */
  private readonly known = new Map<string, Known>();
  /** The first password that each login refused, by `nameLogin`. Others may still have it. */
  private readonly refusals = new Map<string, string>();
  private readonly questions = new Map<string, Question>();
  private lane: Promise<unknown> = Promise.resolve();
  private readonly listening: { dispose(): void };

  constructor(
    private readonly servers: Pick<OpenServers, 'onDidChange' | 'saved'>,
    private readonly world: PasswordWorld,
  ) {
    this.listening = servers.onDidChange((serverId) => {
      if (serverId === null) void this.dropStale().catch(world.onFailure);
    });
  }

  /**
   * The known password, else what the user types. All who ask for the same server get the same answer; questions for
   * other servers wait for their turn.
   * @param mayAsk false for background work: no box is opened, and it gives undefined if no password is known
   */
  async password(
    server: SavedServer,
    mayAsk: boolean,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string | undefined> {
    const found = await this.find(server);
    if (found !== undefined || !mayAsk || signal.aborted) return found;
    return this.ask(server, signal);
  }

  /** The server accepted this login: stores the password now if the user wanted that. */
  accepted(server: SavedServer, password: string): Promise<void> {
    return this.takeNote(() => this.storeAccepted(server, password));
  }

  /**
   * The server refused this login with this password: forgets it in memory and in storage. Another password given
   * meanwhile stays.
   */
  refused(server: SavedServer, password: string): Promise<void> {
    return this.takeNote(() => this.forgetRefused(server, password));
  }

  /**
   * Call before a server is saved, with the password given for it. It is stored once a login worked, unless the user
   * wants to be asked in each window.
   * @param given undefined keeps the known password
   */
  async takeIn(server: SavedServer, given: string | undefined): Promise<void> {
    const password = given ?? (takesPassword(server) ? await this.find(server) : undefined);
    if (password !== undefined) this.learn(server, password, this.mayKeep(server));
  }

  dispose(): void {
    this.listening.dispose();
    this.known.clear();
    for (const { control } of this.questions.values()) control.abort();
  }

  /** Tells the user if the storage fails. Such a failure neither ends a connection nor hides why there is none. */
  private async takeNote(note: () => Promise<void>): Promise<void> {
    try {
      await note();
    } catch (error) {
      this.world.onFailure(error);
    }
  }

  private async storeAccepted(server: SavedServer, password: string): Promise<void> {
    const known = this.known.get(server.id);
    if (
      known?.password === password &&
      known.keeps &&
      this.isCurrent(server.id, known.place) &&
      this.world.mayStore()
    ) {
      await this.servers.saved.keepPassword(server.id, password);
      this.known.delete(server.id);
    }
    const before = this.refusals.get(nameLogin(server));
    this.refusals.delete(nameLogin(server));
    if (before !== undefined && before !== password) await this.offerElsewhere(server, before, password);
  }

  private async forgetRefused(server: SavedServer, password: string): Promise<void> {
    const [{ id }, login] = [server, nameLogin(server)];
    if (this.known.get(id)?.password === password) this.known.delete(id);
    if (!this.refusals.has(login)) this.refusals.set(login, password);
    if ((await this.servers.saved.password(id)) === password) await this.servers.saved.forgetPassword(id);
  }

  private async find(server: SavedServer): Promise<string | undefined> {
    const place = nameLoginPlace(server);
    const known = this.known.get(server.id);
    if (known?.place === place) return known.password;
    // A stored password belongs to the server as it is in the list, and is sent nowhere else.
    if (!this.isCurrent(server.id, place)) return undefined;
    const stored = await this.servers.saved.password(server.id);
    if (stored === undefined) return undefined;
    this.world.hide(stored);
    if (this.world.mayStore()) return stored;
    await this.servers.saved.forgetPassword(server.id);
    return undefined;
  }

  /** Whether the server is in the list with this address and this login. */
  private isCurrent(id: string, place: string): boolean {
    const saved = this.servers.saved.find(id);
    return saved !== undefined && nameLoginPlace(saved) === place;
  }

  /** The box closes when nothing waits for it any more. */
  private async ask(server: SavedServer, signal: AbortSignal): Promise<string | undefined> {
    const question = this.findQuestion(server);
    question.waiting++;
    let leave = (): void => undefined;
    const left = new Promise<undefined>((resolve) => (leave = () => resolve(undefined)));
    signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([question.answer, left]);
    } finally {
      signal.removeEventListener('abort', leave);
      if (--question.waiting === 0) question.control.abort();
    }
  }

  private findQuestion(server: SavedServer): Question {
    const place = nameLoginPlace(server);
    const open = this.questions.get(server.id);
    if (open?.place === place && !open.control.signal.aborted) return open;
    open?.control.abort();
    const control = new AbortController();
    const answer = this.lane.then(() => this.askNow(server, control.signal));
    const question: Question = { place, control, answer, waiting: 0 };
    this.questions.set(server.id, question);
    const conclude = (): void => {
      if (this.questions.get(server.id) === question) this.questions.delete(server.id);
    };
    this.lane = answer.then(conclude, conclude);
    return question;
  }

  private async askNow(server: SavedServer, signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return undefined;
    const found = await this.find(server);
    if (found !== undefined) return found;
    const keeps = this.mayKeep(this.servers.saved.find(server.id));
    const password = await this.world.askPassword(server, keeps, signal);
    if (password === undefined || signal.aborted) return undefined;
    this.learn(server, password, keeps);
    return password;
  }

  private mayKeep(server: SavedServer | undefined): boolean {
    return this.world.mayStore() && server?.asksPassword !== true;
  }

  private learn(server: SavedServer, password: string, keeps: boolean): void {
    this.world.hide(password);
    this.known.set(server.id, { password, place: nameLoginPlace(server), keeps });
  }

  /** Asks whether to use the new password where the old one is known. On the click it looks again where that is. */
  private async offerElsewhere(server: SavedServer, before: string, password: string): Promise<void> {
    const others = await this.listOthers(server, before);
    if (others.length === 0) return;
    const names = listNames(others.map(({ name }) => name));
    const sentence = t(
      '{0} accepted the new password of {1}. The old one is also known for {2}. Use the new one there too?',
      server.name,
      describeLogin(server),
      names,
    );
    const logins = others.map(nameLogin);
    const learn = async (): Promise<void> => {
      for (const other of await this.listOthers(server, before)) {
        if (!logins.includes(nameLogin(other))) continue;
        this.refusals.delete(nameLogin(other));
        this.learn(other, password, this.mayKeep(other));
      }
    };
    this.world.offer(sentence, t('Use It There Too'), () => this.takeNote(learn));
  }

  /** Other servers of the same login that have this password now, or had it when they refused it. */
  private async listOthers(server: SavedServer, before: string): Promise<readonly SavedServer[]> {
    const others: SavedServer[] = [];
    for (const other of this.servers.saved.list()) {
      const isSame = other.authentication === server.authentication && other.user === server.user;
      if (other.id === server.id || !isSame) continue;
      const had = (await this.find(other)) ?? this.refusals.get(nameLogin(other));
      if (had === before) others.push(other);
    }
    return others;
  }

  /**
   * Forgets passwords and closes questions of servers that are gone or changed. Closes questions too if the password
   * was given meanwhile.
   */
  private async dropStale(): Promise<void> {
    for (const [id, { place }] of [...this.known]) if (!this.isCurrent(id, place)) this.known.delete(id);
    for (const [id, { place, control }] of [...this.questions]) {
      const saved = this.servers.saved.find(id);
      if (saved === undefined || !this.isCurrent(id, place) || (await this.find(saved)) !== undefined)
        control.abort();
    }
  }
}

/** A server in the list with its address and its login. */
function nameLogin(server: SavedServer): string {
  return `${server.id} ${nameLoginPlace(server)}`;
}

/** At most three names, and how many more. */
function listNames(names: readonly string[]): string {
  if (names.length > 3) return t('{0} and {1} more', names.slice(0, 3).join(', '), names.length - 3);
  const last = names.slice(-1).join('');
  return names.length < 2 ? last : t('{0} and {1}', names.slice(0, -1).join(', '), last);
}
