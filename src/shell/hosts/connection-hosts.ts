/**
 * The other products whose connections we can use: chooses one, checks again if something about them changes, and says
 * what the user should know of them.
 */
import { describeError } from '../../monitor/queries/failure';
import {
  type ConnectionHost,
  type HostChange,
  type HostName,
  otherHosts,
  type PointedAt,
  type ServerListing,
} from '../../hosts/host';
import { chooseHost, type HostChoice, type HostFinding } from './host-choice';
import type { Conversation } from '../kit/conversation';
import type { OpenServers } from '../servers/open-servers';
import type { KeptState } from '../servers/saved-servers';
import type { ListedServer } from '../servers/server-list';
import { countOf } from '../../core/format';
import { t } from '../../core/language';

/** What the last look found. */
export interface HostState {
  readonly choice: HostChoice;
  readonly findings: readonly HostFinding[];
  /** What the chosen host lists; null if our own driver is the only way. */
  readonly listing: ServerListing | null;
}

interface HostsWorld {
  /** In order of preference. */
  readonly hosts: readonly ConnectionHost[];
  readonly onLooked: (state: HostState, before: HostState | null) => void;
  readonly onFailure: (error: unknown) => void;
}

export class ConnectionHosts {
  state: HostState | null = null;
  private readonly listening: readonly { dispose(): void }[];
  private looking: Promise<void> | null = null;
  private isStale = false;

  constructor(
    private readonly world: HostsWorld,
    onConnection: (change: Exclude<HostChange, { kind: 'servers' }>) => void,
  ) {
    this.listening = world.hosts.map((host) =>
      host.onDidChange((change) => {
        if (change.kind === 'servers') void this.look();
        else onConnection(change);
      }),
    );
  }

  /** Where the pane should be until the first look is over. A guess, which activates nothing. */
  guess(): HostChoice['name'] {
    return this.world.hosts.find((host) => host.isPresent())?.name ?? 'own';
  }

  /** Looks at everything again. If something changes during the look, looks once more. */
  async look(): Promise<void> {
    this.isStale = true;
    this.looking ??= this.lookUntilFresh().finally(() => (this.looking = null));
    return this.looking;
  }

  /**
   * Reads a node that a menu of one of the products handed over: its server or database, and what keeps us from using
   * it.
   */
  readTarget(node: unknown): { readonly host: ConnectionHost; readonly pointedAt: PointedAt } | null {
    for (const host of this.world.hosts) {
      const pointedAt = host.readTarget(node);
      if (pointedAt !== null) return { host, pointedAt };
    }
    return null;
  }

  find(name: string): ConnectionHost | undefined {
    return this.world.hosts.find((host) => host.name === name);
  }

  all(): readonly ConnectionHost[] {
    return this.world.hosts;
  }

  dispose(): void {
    for (const listener of this.listening) listener.dispose();
    for (const host of this.world.hosts) host.dispose();
  }

  private async lookUntilFresh(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      const before = this.state;
      const state = await this.takeStock();
      if (this.isStale) continue;
      this.state = state;
      this.world.onLooked(state, before);
    }
  }

  private async takeStock(): Promise<HostState> {
    const findings: HostFinding[] = [];
    for (const host of this.world.hosts)
      findings.push({
        name: host.name,
        isPresent: host.isPresent(),
        obstacle: await this.ask(host.findObstacle(), describeError),
      });
    const choice = chooseHost(findings);
    const listing = await this.ask<ServerListing | null>(
      this.find(choice.name)?.listServers() ?? Promise.resolve(null),
      () => null,
    );
    return { choice, findings, listing };
  }

  /** A host that throws counts as one that cannot be used. */
  private async ask<T>(answer: Promise<T>, instead: (error: unknown) => T): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.world.onFailure(error);
      return instead(error);
    }
  }
}

const TOLD_KEY = 'checkpointHealth.toldCautions';

interface CautionWorld {
  readonly servers: OpenServers;
  readonly state: KeptState;
  readonly conversation: Pick<Conversation, 'offer'>;
  readonly findHost: (server: ListedServer) => ConnectionHost | undefined;
  readonly openSetting: (setting: string) => Promise<void>;
}

/**
 * Tells the user once what else happens if we use another product's connections, after the first of its servers was
 * connected.
 */
export function tellCautions({ servers, state, conversation, findHost, openSetting }: CautionWorld): {
  dispose(): void;
} {
  return servers.onDidChange((serverId) => {
    const server = serverId === null ? undefined : servers.list.find(serverId);
    const { name, caution } = (server && findHost(server)) ?? { name: null, caution: null };
    if (server === undefined || caution === null || servers.snapshot(server.id).connection !== 'connected')
      return;
    const known = readTold(state);
    if (known.includes(name)) return;
    void state.update(TOLD_KEY, [...known, name]);
    conversation.offer(caution.sentence, t('Open Setting'), () => openSetting(caution.setting));
  });
}

function readTold(state: KeptState): readonly unknown[] {
  const told = state.get(TOLD_KEY);
  return Array.isArray(told) ? told : [];
}

/** Kept beside the cautions: the user knows that connections cannot be used any more. */
const LOSS = 'connections gone';

interface LossWorld {
  readonly state: KeptState;
  readonly conversation: Pick<Conversation, 'offer'>;
  readonly importServers: () => Promise<void>;
  readonly showPane: () => Promise<void>;
}

/**
 * Tells the user that the connections of another product cannot be used any more, and how to go on: when it happens, or
 * once if the window opens so and servers in the list need them.
 * @param ways those of the servers in the list
 */
export function tellLoss(
  world: LossWorld,
  now: HostState,
  before: HostState | null,
  ways: readonly HostName[],
): void {
  const { state, conversation, importServers, showPane } = world;
  const told = readTold(state);
  const others = told.filter((each) => each !== LOSS);
  if (now.choice.name !== 'own') return void (told.includes(LOSS) && state.update(TOLD_KEY, others));
  const used = before === null || before.choice.name === 'own' ? null : before.choice.name;
  const lost = now.findings.find(
    ({ name, obstacle }) => obstacle !== null && (used === null ? ways.includes(name) : name === used),
  );
  if (lost?.obstacle == null || (used === null && told.includes(LOSS))) return;
  void state.update(TOLD_KEY, [...others, LOSS]);
  if (!otherHosts[lost.name].isImported) return conversation.offer(lost.obstacle, t('Show Pane'), showPane);
  const sentence = t('{0} What was captured stays with each connection that you import.', lost.obstacle);
  conversation.offer(sentence, t('Import Connections…'), importServers);
}

/** A row above the servers: a label short enough for a narrow pane, and the full sentence. */
export interface Notice {
  readonly label: string;
  readonly sentence: string;
}

/**
 * What the pane says above its servers about the products whose connections it uses, or cannot use.
 * @param state null if nothing is known yet
 * @param ways those of the servers in the list. A product is missed only if it led to one of them: others need none,
 * and are told nothing
 */
export function listNotices(state: HostState | null, ways: readonly HostName[]): readonly Notice[] {
  if (state === null) return [];
  const untrusted = state.listing?.untrusted ?? 0;
  const missed = state.findings.filter(({ name }) => ways.includes(name));
  const obstacles = state.choice.name === 'own' ? missed.flatMap(describeObstacle) : [];
  return [...obstacles, ...(untrusted === 0 ? [] : [describeUntrusted(untrusted)])];
}

function describeObstacle({ name, obstacle }: HostFinding): readonly Notice[] {
  return obstacle === null
    ? []
    : [{ label: t('No connections from {0}', otherHosts[name].shortName), sentence: obstacle }];
}

function describeUntrusted(count: number): Notice {
  return {
    label: countOf(count, t('{0} connection ignored'), t('{0} connections ignored')),
    sentence: countOf(
      count,
      t('The workspace that defines it is not trusted.'),
      t('The workspace that defines them is not trusted.'),
    ),
  };
}
