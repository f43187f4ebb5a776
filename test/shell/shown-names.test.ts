import assert from 'node:assert/strict';
import type { Finding } from '../../src/core/advice/finding';
import type { ServerSnapshot } from '../../src/monitor/server-monitor';
import type * as dashboardPanels from '../../src/shell/dashboard/dashboards';
import type * as conversations from '../../src/shell/kit/editor-conversation';
import type * as errorLogPanels from '../../src/shell/error-logs/error-log-panels';
import type * as diagnostics from '../../src/shell/commands/diagnostics-command';
import type * as reviewPanels from '../../src/shell/review/reviews';
import type * as formInputs from '../../src/shell/servers/form-input';
import type { Row } from '../../src/shell/tree/row';
import { createServerRow } from '../../src/shell/tree/server-row';
import { listChildRows, listNoticeRows, type PaneState } from '../../src/shell/tree/rows';
import { listInvisible } from '../core/invisible-characters';
import { unseenNames } from '../core/script/hostile-names';
import { createFakeLog, openDesk, savedServer } from './fake-editor';
import { happened, loadShell, panels, shown } from './fake-vscode';
import { database, facts, figures, instanceWith, snapshot, tracking } from './sample';

const { createEditorConversation, showError } = loadShell<typeof conversations>('kit/editor-conversation');
const { formInput, askPassword } = loadShell<typeof formInputs>('servers/form-input');
const { Dashboards } = loadShell<typeof dashboardPanels>('dashboard/dashboards');
const { Reviews, ScriptComparison } = loadShell<typeof reviewPanels>('review/reviews');
const { writeDiagnostics } = loadShell<typeof diagnostics>('commands/diagnostics-command');
const { ErrorLogPanels } = loadShell<typeof errorLogPanels>('error-logs/error-log-panels');

/** Every text in a value, however deep; keys of ours (`value`, `id`) stay exact and are left out. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'value' || key === 'id' ? [] : listTexts(part),
  );
}

function assertVisible(texts: readonly string[], strange: string): void {
  const isShown = texts.some((text) => text.includes('<U+'));
  assert.ok(isShown, `nothing of ${JSON.stringify(strange)} was shown`);
  for (const text of texts) assert.deepEqual(listInvisible(text), [], text);
}

/** Names that cannot be seen in part, and of which an editor would make a link that acts, and an icon. */
const readNames = unseenNames.map((name) => `${name}[Cancel](command:workbench.action.quit)$(trash)`);

/** Nothing of the names is hidden, a link or an icon. */
function assertPlain(texts: readonly string[], strange: string): void {
  assertVisible(texts, strange);
  for (const text of texts) assert.doesNotMatch(text, /\]\(|\$\(/);
}

/** A server of which everything is called the same. */
function serverCalled(strange: string): ServerSnapshot {
  const sources = [{ title: strange, url: null }];
  const finding: Finding = { rule: 'r', severity: 'look first', sentence: strange, remedy: strange, sources };
  const own = [
    database(5, strange, { inAvailabilityGroup: true }),
    database(6, strange, { targetSeconds: 60 }),
  ];
  const given = facts(own, { serverName: strange, loginName: strange, edition: strange });
  const role = { databaseId: 5, role: 'PRIMARY', groupName: strange, primaryReplica: strange } as const;
  const told = snapshot({ ...given, roles: { kind: 'observed', value: new Map([[5, role]]) } });
  return {
    ...told,
    statistics: new Map([[5, figures(0)]]),
    instance: instanceWith({ 5: 0.9 }),
    label: strange,
    failure: strange,
    preflight: {
      server: [finding, { ...finding, severity: 'inform' }],
      databases: new Map([[5, [finding]]]),
      unseen: [strange],
    },
    tracking: { ...tracking, malformed: 0, otherEvents: 0, message: strange },
    verdicts: new Map(
      [...told.verdicts].map(([id, verdict]) => [id, { ...verdict, reason: strange, wouldChange: strange }]),
    ),
  };
}

/** The row of the server, and all that is under it. */
function listAllRows(given: ServerSnapshot, pane: PaneState): readonly Row[] {
  const listBelow = (row: Row): readonly Row[] => [
    row,
    ...listChildRows(row, given, pane).flatMap(listBelow),
  ];
  return listBelow(createServerRow(given, 'own'));
}

const UNASKED = { lastMinute: [], sessionBytes: null, readEveryMs: null, isSpacedOut: false };

describe('The rows of the pane, whatever the names are', () => {
  it('show nothing that cannot be seen, in no text of theirs', () => {
    for (const strange of unseenNames) {
      const pane: PaneState = { filters: new Map([['server-1', strange]]), shown: new Map() };
      const rows = [
        ...listAllRows(serverCalled(strange), pane),
        ...listNoticeRows([{ label: strange, sentence: strange }]),
      ];
      assert.ok(rows.length > 8, 'rows of every kind');
      const texts = rows.flatMap(({ label, description, tooltip, spoken }) => [
        label,
        description,
        spoken,
        ...tooltip.split('\n'),
      ]);
      assertVisible(texts, strange);
    }
  });

  it('have tooltips of as many lines as we wrote, wherever a name has an end of a line', () => {
    const countLines = (name: string): readonly number[] =>
      listAllRows(serverCalled(name), { filters: new Map(), shown: new Map() }).map(
        ({ tooltip }) => tooltip.split('\n').length,
      );
    assert.deepEqual(countLines('a\r\nb\u2028c'), countLines('abc'));
  });

  it('are found by the exact name and by what is shown of it', () => {
    const given = serverCalled('Sales\u202Egol');
    for (const filter of ['sales\u202E', 'SALES<u+202e>gol']) {
      const rows = listAllRows(given, { filters: new Map([['server-1', filter]]), shown: new Map() });
      assert.equal(rows.filter(({ kind }) => kind === 'database').length, 2, filter);
    }
  });
});

describe('Dialogs, notifications and panels, whatever the names are', () => {
  beforeEach(() => (shown.length = panels.length = happened.length = 0));

  it('say what was asked and told with nothing that cannot be seen', async () => {
    const conversation = createEditorConversation(() => 'view');
    for (const strange of readNames) {
      const ask = [
        conversation.chooseOne(strange, [{ value: strange, label: strange, description: strange }]),
        conversation.chooseMany(strange, [{ value: strange, label: strange, description: strange }]),
        conversation.askText({
          title: strange,
          prompt: strange,
          placeholder: strange,
          value: strange,
          check: () => strange,
        }),
        conversation.confirm(strange, strange, 'Go on'),
      ];
      await Promise.all(ask.map((one) => one.catch(() => undefined)));
      conversation.tell(strange);
      conversation.offer(strange, 'Do it', () => Promise.resolve());
      await conversation.showWork(strange, () => Promise.resolve());
      await showError(strange);
      assertPlain(listTexts(shown), strange);
      const [box] = shown.filter((one) => typeof one === 'object' && one !== null && 'validateInput' in one);
      const { validateInput, value } = box as { validateInput: (text: string) => string; value: string };
      assertPlain([validateInput('typed')], strange);
      assert.equal(value, strange, 'what is edited is the name itself');
      shown.length = 0;
    }
  });

  it('have the lines that are ours, and no line of a name', async () => {
    await createEditorConversation(() => 'view')
      .confirm('Sure?', ['Name: a\nAddress: evil', 'Login: sa'], 'Add')
      .catch(() => undefined);
    assert.ok(
      listTexts(shown).includes('Name: a<U+000A>Address: evil\nLogin: sa'),
      listTexts(shown).join('|'),
    );
  });

  it('ask for a server of any name with nothing that cannot be seen', async () => {
    for (const strange of readNames) {
      const step = { title: strange, step: 1, totalSteps: 2 };
      await formInput.askText({
        ...step,
        prompt: strange,
        placeholder: strange,
        value: 'typed',
        isPassword: false,
        check: () => null,
      });
      await formInput.askChoice({
        ...step,
        placeholder: strange,
        value: 1,
        choices: [{ value: 1, label: strange, detail: strange }],
      });
      formInput.tell(strange);
      await askPassword({ ...savedServer, name: strange, user: strange }, true, new AbortController().signal);
      assertPlain(listTexts(shown), strange);
      shown.length = 0;
    }
  });

  it('have titles with nothing that cannot be seen', async () => {
    for (const strange of readNames) {
      const { context, conversation, servers } = await openDesk(serverCalled(strange));
      await servers.save({ ...savedServer, name: strange });
      const common = { extensionUri: 'extension' as never, log: context.log, onFailure: assert.fail };
      const exports = {
        files: { save: () => Promise.resolve(false) },
        nowUtcMs: () => 0,
        pause: () => Promise.resolve(),
      };
      const dashboards = new Dashboards({
        ...common,
        servers,
        exports,
        invoke: assert.fail,
        createLogIntake: () => assert.fail,
      } as never);
      const reviews = new Reviews({ ...common, context, editor: { open: () => Promise.resolve() } } as never);
      const kept = { keep: () => Promise.resolve() };
      const logs = new ErrorLogPanels({
        ...common,
        exports,
        conversation,
        kept,
        readErrorLog: assert.fail,
      } as never);
      dashboards.show('server-1', null);
      reviews.show('server-1', { databaseIds: [], namedIds: [] });
      await logs.show({ name: strange, page: { summary: '', tables: [], notes: [] } });
      await new ScriptComparison().show(
        'server-1',
        strange,
        { scripts: [], record: '' },
        { scripts: [], record: '' },
      );
      assert.equal(panels.length, 3);
      const pages = panels.map(
        ({ webview }) => /<title>[\s\S]*<\/title>/.exec(webview.html)?.[0].replace(/&lt;/g, '<') ?? '',
      );
      assertPlain([...panels.map(({ title }) => title), ...pages], strange);
      assertPlain(listTexts(happened), strange);
      for (const one of [dashboards, reviews]) one.dispose();
      panels.length = happened.length = 0;
    }
  });

  it('open connection diagnostics, and write a log, with nothing that cannot be seen but their own ends of lines', () => {
    for (const strange of unseenNames) {
      const text = writeDiagnostics({
        extensionVersion: '0.1.0',
        editor: [strange],
        choice: { name: 'own', place: 'own', why: strange },
        ways: [{ name: 'mssql', obstacle: strange, details: [strange] }],
        servers: [
          {
            name: strange,
            way: 'mssql',
            connection: 'failed',
            failure: strange,
            absence: strange,
            cost: UNASKED,
          },
        ],
        isTrusted: true,
        untrusted: 0,
        logins: [strange],
      });
      const logged: string[] = [];
      const log = createFakeLog(logged);
      log.warn(strange);
      log.statement(strange, strange, 'SELECT 1;\nSELECT 2;');
      assert.ok(logged[1]?.endsWith('\nSELECT 1;\nSELECT 2;'));
      assertVisible([text, ...logged].join('\n').split('\n'), strange);
    }
  });
});
