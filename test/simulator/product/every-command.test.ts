import assert from 'node:assert/strict';
import { type Simulator, startSimulator } from '../../../simulator/index';
import { findObstacle } from '../../../src/core/advice/obstacle';
import type { Proposal } from '../../../src/core/advice/proposal';
import type { ReviewText } from '../../../src/core/script/text';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { type CommandContext, connectTo } from '../../../src/shell/commands/command-context';
import {
  type CommandHandler,
  type CommandId,
  commandIds,
  Dismissed,
} from '../../../src/shell/kit/command-table';
import type { Option, Conversation } from '../../../src/shell/kit/conversation';
import { createEvidenceCommands } from '../../../src/shell/commands/evidence-commands';
import { createLookCommands } from '../../../src/shell/commands/look-commands';
import { createReviewCommand, createScriptCommand } from '../../../src/shell/commands/script-command';
import { scriptChoices } from '../../../src/shell/commands/script-questions';
import { createServerCommands } from '../../../src/shell/commands/server-commands';
import { OpenServers } from '../../../src/shell/servers/open-servers';
import { SavedServers } from '../../../src/shell/servers/saved-servers';
import { ServerList } from '../../../src/shell/servers/server-list';
import { createTrackingCommands } from '../../../src/shell/commands/tracking-commands';
import { createLog } from '../../../src/shell/kit/log';
import { FakeConversation } from '../../shell/fake-conversation';
import { FakeSecrets, FakeState, savedServer, nothingForbidden } from '../../shell/fake-editor';
import { assertOnlyOwnCommands, ourApplication } from '../own-commands';
import { openReview } from './opened-review';
import { watchThrough, reach } from './watched-server';

/** Says yes to everything, takes what is offered, or the choice that the test wants. */
class YesSayer extends FakeConversation {
  wanted: unknown = undefined;

  override async chooseOne<T>(_title: string, choices: readonly Option<T>[]): Promise<T> {
    const found = choices.find(({ value }) => value === this.wanted) ?? choices[0];
    if (found === undefined) throw new Dismissed();
    return found.value;
  }

  override async chooseMany<T>(_title: string, choices: readonly Option<T>[]): Promise<readonly T[]> {
    return choices.map(({ value }) => value);
  }

  override askText: Conversation['askText'] = async ({ value, check }) =>
    check?.(value) == null ? value : '60';

  override confirm: Conversation['confirm'] = async (_question, _detail, first) => first;

  override offer: Conversation['offer'] = (_sentence, _button, act) => void act();
}

/**
 * Commands that are about the editor alone, or that ask for another server: nothing of theirs reaches a server that is
 * there.
 */
const withoutServer: readonly CommandId[] = [
  'exploreSample',
  // Both ask what a new window asks: test/monitor/recorded-server.test.ts.
  'saveCapture',
  'saveCaptureForVendor',
  // Reads a folder: test/simulator/fleet.
  'openLake',
  // Reads files: test/shell/captures.
  'openEvents',
  'addServer',
  'importServers',
  'editServer',
  'connectAnotherWay',
  'showConnectionDiagnostics',
];

/** What ends tracking comes when everything else was done while it ran. */
const last = ['stopTracking', 'removeTracking', 'removeServer'];

describe('Every command of the extension, answered with yes to everything', function () {
  let simulator: Simulator;
  let monitor: ServerMonitor;
  let context: CommandContext;
  const conversation = new YesSayer();
  const opened: string[] = [];
  const reviews: Promise<void>[] = [];
  const editor = { open: async (text: ReviewText) => void opened.push(text) };

  before(async () => {
    simulator = await startSimulator({ rate: 0, tls: 'required', databases: 12 });
    monitor = watchThrough(reach(simulator), true);
    const state = new FakeState();
    const saved = new SavedServers(state, new FakeSecrets());
    await saved.save(savedServer);
    const servers = new OpenServers(new ServerList(saved, state), async () => monitor);
    const write = (): void => undefined;
    context = {
      servers,
      conversation,
      log: createLog({ info: write, warn: write, error: write }),
      takeUpNode: () => Promise.reject(new Error('no other product is here')),
      isOwn: () => true,
      showTimeline: () => undefined,
      addServer: () => Promise.resolve(),
    };
  });

  after(async () => {
    await monitor.dispose();
    await simulator.close();
  });

  /** Opens everything that a review can open: where nothing is advised, of all automatic databases. */
  async function review(proposed: Proposal): Promise<void> {
    const automatic = (monitor.snapshot.facts?.databases ?? []).filter(
      ({ targetSeconds }) => targetSeconds === 0,
    );
    const all = { databaseIds: automatic.map(({ databaseId }) => databaseId), namedIds: [] };
    opened.push(...(await openReview(monitor, proposed.databaseIds.length > 0 ? proposed : all)));
  }

  function listCommands(): Partial<Record<CommandId, CommandHandler>> {
    const screen = {
      tree: { filterOf: () => '', filter: () => undefined, showMore: () => undefined },
      showLog: () => undefined,
    };
    const form = {
      input: undefined as never,
      checkAddress: () => null,
      isWindows: false,
      rules: () => nothingForbidden,
      passwords: { takeIn: () => Promise.resolve() },
      reveal: () => Promise.resolve(),
      showDashboard: () => undefined,
    };
    const { openServer, refresh, removeServer } = createServerCommands(context, form);
    return {
      openServer,
      refresh,
      ...createLookCommands(context, screen),
      ...createTrackingCommands(context),
      ...createEvidenceCommands(context, {
        openErrorLog: () => Promise.resolve(),
        readSelection: () =>
          'DirtyPageMgr::ForceCatchupOrFlushCache: cleaned up 166 dirty pages in 4 ms for db 19',
        readClipboard: async () => '2026-03-02 08:00:00.00 spid7s  Starting up database.',
        showErrorLog: () => Promise.resolve(),
      }),
      reviewScript: createReviewCommand(context, {
        show: (_serverId, proposal) => void reviews.push(review(proposal)),
      }),
      writeScript: createScriptCommand(context, editor),
      removeServer,
    };
  }

  it('is one of those that this test runs, or has nothing to do with a server', () => {
    assert.deepEqual([...Object.keys(listCommands()), ...withoutServer].sort(), [...commandIds].sort());
  });

  it('gives the server nothing but reads and its own event session', async () => {
    const target = { serverId: savedServer.id, databaseIds: [], group: null };
    await connectTo(context, savedServer.id);
    const { facts } = monitor.snapshot;
    assert.ok(facts !== null);
    const automatic = facts.databases.find(
      (database) => database.targetSeconds === 0 && findObstacle(database, facts) === null,
    );
    const named = { ...target, databaseIds: [automatic?.databaseId ?? 0] };
    const failed: string[] = [];
    for (const [id, run] of Object.entries(listCommands()).sort(
      ([a], [b]) => last.indexOf(a) - last.indexOf(b),
    )) {
      const wanted = id === 'writeScript' ? scriptChoices.map(({ value }) => value) : [undefined];
      for (const each of wanted)
        for (const pointedAt of id === 'removeServer' ? [target] : [target, named]) {
          conversation.wanted = each;
          await Promise.resolve(run(pointedAt)).catch(
            (error: unknown) => void failed.push(`${id}: ${(error as Error).message}`),
          );
          simulator.server.advance(1_000);
        }
    }
    await Promise.all(reviews);
    assert.ok(opened.length > 8, `${opened.length} scripts were opened; ${failed.join('; ')}`);
    const { commands, settingChanges } = simulator.server.ledger;
    assertOnlyOwnCommands(simulator.server.ledger);
    assert.ok(
      commands.some(
        ({ command, application }) =>
          application === ourApplication && command.startsWith('CREATE EVENT SESSION'),
      ),
    );
    assert.ok(
      commands.some(
        ({ command, application }) =>
          application === ourApplication && command.startsWith('DROP EVENT SESSION'),
      ),
    );
    assert.deepEqual(settingChanges, []);
    assert.ok(
      failed.every((each) =>
        /^(addToTracking|removeFromTracking|stopTracking|removeTracking|followEventSession|startTracking\w*|writeScript|setChangeMoment)/.test(
          each,
        ),
      ),
      failed.join('\n'),
    );
  });
});
