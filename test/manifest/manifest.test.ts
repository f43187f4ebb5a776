import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import cliManifest from '../../cli/package.json';
import manifest from '../../package.json';
import { type OtherHost, otherHostNames } from '../../src/hosts/host';
import { commandIds, fullCommandId, SELECTION } from '../../src/shell/kit/command-table';
import { POLICY_FILE_NAME } from '../../src/shell/policy/policy-files';
import { HOST_CONTEXT_KEY, viewIds } from '../../src/shell/hosts/host-choice';
import type { Ownership } from '../../src/shell/servers/server-list';
import { readSourceFiles } from '../architecture/source-files';

const root = join(__dirname, '..', '..');
const text = readFileSync(join(root, 'package.json'), 'utf8');
const names: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'package.nls.json'), 'utf8'),
);

interface MenuItem {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = manifest;
const menus: Readonly<Record<string, readonly MenuItem[]>> = contributes.menus;
const commands = contributes.commands.map(({ command }) => command);
const views = [...Object.values(contributes.views), ...Object.values(contributes.dataExplorer)].flat();
const containerOf = (view: string): string | undefined =>
  Object.entries(contributes.views).find(([, [only]]) => only?.id === view)?.[0];
const menuItems = Object.entries(menus).flatMap(([menu, items]) => items.map((item) => ({ menu, ...item })));
const shipped = readShipped('src');

/** Every source file of a folder, as one text. */
function readShipped(folder: string): string {
  return readSourceFiles(folder)
    .map(({ text: source }) => source)
    .join('\n');
}

/** Texts in quotes that begin with our prefix. */
function listQuoted(source: string): readonly string[] {
  return [...source.matchAll(/['"`](checkpointHealth\.[A-Za-z.]+)['"`]/g)].map((match) => match[1] as string);
}

describe('package.json', () => {
  it('has the commands that the code has, no more and no fewer', () => {
    assert.deepEqual([...commands].sort(), commandIds.map(fullCommandId).sort());
    assert.equal(new Set(commands).size, commands.length);
  });

  it('has the views that the code fills, each shown for exactly one host, also before the host was chosen', () => {
    assert.deepEqual(views.map(({ id }) => id).sort(), Object.values(viewIds).sort());
    const shownFor = (id: string): string | undefined => views.find((view) => view.id === id)?.when;
    // Before activation the key is unset, and opening the view is what activates: then a host is known by the container
    // that it shows itself. No other editor has that of Azure Data Studio.
    const before = `!${HOST_CONTEXT_KEY}`;
    const shows = (name: OtherHost): string =>
      name === 'azdata' ? 'dataExplorer.servers.active' : `${containerOf(viewIds[name])}.active`;
    for (const name of otherHostNames)
      assert.equal(
        shownFor(viewIds[name]),
        `${HOST_CONTEXT_KEY} == ${name} || ${before}${name === 'azdata' ? '' : ` && ${shows(name)}`}`,
      );
    const [own, ...others] = shownFor(viewIds.own)?.split(' && ') ?? [];
    assert.equal(own, `${HOST_CONTEXT_KEY} == own || ${before}`);
    assert.deepEqual(others.sort(), otherHostNames.map((name) => `!${shows(name)}`).sort());
  });

  it('puts its own view into its own container and the guests into those of their hosts', () => {
    const [container] = contributes.viewsContainers.activitybar;
    assert.equal(containerOf(viewIds.own), container?.id);
    for (const inContainer of Object.values(contributes.views)) assert.equal(inContainer.length, 1);
    assert.equal(containerOf(viewIds.mssql), 'objectExplorer');
    assert.equal(Object.values(contributes.dataExplorer).flat()[0]?.id, viewIds.azdata);
  });

  it('has only settings that the code reads, and the code reads no others', () => {
    const reads = /(?:getConfiguration\('checkpointHealth'\)\s*\.get<\w+>|readNumber)\('([\w.]+)'/g;
    const read = [...shipped.matchAll(reads)].map((match) => `checkpointHealth.${match[1]}`);
    assert.deepEqual(Object.keys(contributes.configuration.properties).sort(), [...new Set(read)].sort());
  });

  it('lets no workspace change a setting: all are of the application', () => {
    for (const [name, { scope }] of Object.entries(contributes.configuration.properties))
      assert.equal(scope, 'application', name);
  });

  it('has no id of ours in the code that it does not know', () => {
    const known = new Set([
      ...commands,
      ...Object.keys(contributes.configuration.properties),
      ...views.map(({ id }) => id),
      ...manifest.activationEvents.map((event) => event.split(':')[1]),
      HOST_CONTEXT_KEY,
    ]);
    // Keys of the editor's storage, which the manifest does not name.
    for (const key of [
      'password.',
      'servers',
      'knownServers',
      'trackedServers',
      'toldCautions',
      'markedSessions',
    ])
      known.add(`checkpointHealth.${key}`);
    // A review is of a moment: its panel does not come back with the window, so nothing is activated for it.
    known.add('checkpointHealth.review');
    // An item of the status bar is made in code alone.
    known.add('checkpointHealth.status');
    assert.deepEqual(
      listQuoted(shipped).filter((id) => !known.has(id)),
      [],
    );
  });

  it('names only commands that exist in menus, walkthrough and welcome texts', () => {
    for (const { menu, command } of menuItems) assert.ok(commands.includes(command), `${menu}: ${command}`);
    for (const [key, value] of Object.entries(names))
      for (const [, command] of value.matchAll(/\(command:([^)]+)\)/g))
        assert.ok(commands.includes(command ?? ''), `${key}: ${command}`);
    for (const step of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      for (const event of step.completionEvents)
        assert.ok(commands.includes(event.replace(/^onCommand:/, '')), event);
    }
  });

  it('asks in menus only for context keys, views and row kinds that exist', () => {
    const contexts = listContexts();
    for (const { menu, when = '' } of menuItems.filter(({ menu: name }) => name.startsWith('view/'))) {
      if (when.includes('view == objectExplorer')) continue;
      const view = /view =~ \/((?:[^/\\]|\\.)+)\//.exec(when)?.[1];
      // There is nothing to import in Azure Data Studio.
      const isIn = (id: string): boolean => !when.includes('azdata') && id === viewIds.azdata;
      assert.ok(
        Object.values(viewIds).every((id) => isIn(id) !== new RegExp(view as string).test(id)),
        `${menu}: ${when}`,
      );
      if (menu !== 'view/item/context') continue;
      const item = /viewItem =~ \/((?:[^/\\]|\\.)+)\//.exec(when)?.[1];
      assert.ok(
        item !== undefined && contexts.some((context) => new RegExp(item).test(context)),
        `${menu}: ${when}`,
      );
      for (const alternative of listAlternatives(item as string))
        assert.ok(
          contexts.some((context) => new RegExp(alternative).test(context)),
          `${alternative} matches no row`,
        );
    }
  });

  it('declares the menus of both hosts, wired to the same commands in the same order; a database is tracked, what stops is its server', () => {
    const list = (menu: string, isIn: (when: string) => boolean): readonly string[] =>
      [...(menus[menu] ?? [])]
        .filter(({ when = '' }) => isIn(when))
        .sort((a, b) => (a.group ?? '').localeCompare(b.group ?? ''))
        .map(({ command }) => command.replace('checkpointHealth.', ''));
    const wanted = {
      Server: ['openServer', 'startTracking', 'stopTracking', 'openDashboard', 'reviewScript'],
      Database: ['openServer', 'startTracking', 'openDashboard', 'reviewScript'],
    };
    // The two trees of Azure Data Studio name the provider by different keys.
    for (const type of ['Server', 'Database'] as const) {
      assert.deepEqual(
        list(
          'objectExplorer/item/context',
          (when) => when === `connectionProvider == MSSQL && nodeType == ${type}`,
        ),
        wanted[type],
      );
      assert.deepEqual(
        list('dataExplorer/context', (when) => when === `nodeProvider == MSSQL && nodeType == ${type}`),
        wanted[type],
      );
    }
    const onMssql = (viewItem: string): readonly string[] =>
      list('view/item/context', (when) => {
        const item = /^view == objectExplorer && viewItem =~ \/(.+)\/$/.exec(when)?.[1];
        return item !== undefined && new RegExp(item).test(viewItem);
      });
    for (const type of ['Server', 'disconnectedServer'])
      assert.deepEqual(onMssql(`type=${type},filterable=false,`), wanted.Server);
    assert.deepEqual(
      onMssql('type=Database,filterable=false,hasFilters=false,subType=Database,'),
      wanted.Database,
    );
    assert.deepEqual(onMssql('type=Folder,filterable=true,subType=ServerLevelSecurity,'), []);
  });

  it('has few keys, each in its own pane only, about what is selected there, and none that the editor has for the whole window', () => {
    // Chords of VS Code that no focus limits.
    const ofWindow = 'cohkmpqrstw'.split('').map((letter) => `ctrl+k ctrl+${letter}`);
    assert.ok(contributes.keybindings.length <= 6);
    for (const { command, key, mac, when, args } of contributes.keybindings) {
      assert.ok(commands.includes(command), command);
      const view = /^focusedView =~ \/(.+)\/$/.exec(when)?.[1] ?? '$^';
      assert.ok(
        Object.values(viewIds).every((id) => new RegExp(view).test(id)),
        when,
      );
      assert.doesNotMatch('workbench.view.explorer', new RegExp(view));
      assert.equal(args, SELECTION);
      assert.ok(key === 'f5' || (/^ctrl\+k ctrl\+[a-z]$/.test(key) && !ofWindow.includes(key)), key);
      assert.equal(mac, key === 'f5' ? undefined : key.replace(/ctrl/g, 'cmd'));
    }
  });

  it('hides from the palette what works on a row only, and in Azure Data Studio the import from an extension of VS Code', () => {
    const onRows = ['showMoreDatabases', 'addToTracking', 'removeFromTracking'];
    assert.deepEqual(menus['commandPalette'], [
      ...onRows.map((id) => ({ command: `checkpointHealth.${id}`, when: 'false' })),
      { command: 'checkpointHealth.importServers', when: `${HOST_CONTEXT_KEY} != azdata` },
    ]);
  });

  it('uses every name of package.nls.json and names every one that it uses', () => {
    const used = [...text.matchAll(/%([A-Za-z.]+)%/g)].map((match) => match[1] as string);
    assert.deepEqual([...new Set(used)].sort(), Object.keys(names).sort());
    assert.ok(
      contributes.commands.every(({ title, category }) => /^%.+%$/.test(title) && /^%.+%$/.test(category)),
    );
  });

  for (const file of readdirSync(root).filter((name) => /^package\.nls\..+\.json$/.test(name)))
    it(`has the same names in ${file}, and each text leads to the same commands and pages`, () => {
      const translated: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, file), 'utf8'));
      assert.deepEqual(Object.keys(translated), Object.keys(names));
      const listLinks = (each: string | undefined): readonly string[] =>
        each?.match(/\]\([^)]+\)|`[^`]+`/g) ?? [];
      for (const [name, each] of Object.entries(names))
        assert.deepEqual(listLinks(translated[name]), listLinks(each), name);
      assert.ok(
        Object.entries(names).filter(([name, each]) => translated[name] !== each).length > commands.length,
      );
    });

  it('activates for its views, commands and panels, and for nothing else', () => {
    const wanted = [
      ...views.map(({ id }) => `onView:${id}`),
      ...commands.map((id) => `onCommand:${id}`),
      'onWebviewPanel:checkpointHealth.dashboard',
      'onWebviewPanel:checkpointHealth.errorLog',
      ...contributes.customEditors.map(({ viewType }) => `onCustomEditor:${viewType}`),
    ];
    assert.deepEqual([...manifest.activationEvents].sort(), wanted.sort());
  });

  it('names the tools for language models that the code answers, each described, for which the editor activates by itself', () => {
    const tools = contributes.languageModelTools;
    const answered = [...shipped.matchAll(/^ +(checkpointHealth_\w+): /gm)].map((match) => match[1]);
    assert.deepEqual(tools.map(({ name }) => name).sort(), answered.sort());
    for (const { modelDescription } of tools)
      assert.match(
        names[modelDescription.replaceAll('%', '')] ?? '',
        /never connects, never sends a query and changes nothing/i,
      );
    // VS Code before 1.95 does not know the event, and no tool either.
    assert.ok(
      manifest.activationEvents.every((event) => !event.startsWith('onLanguageModelTool') && event !== '*'),
    );
  });

  it('installs in Azure Data Studio and VS Code alike', () => {
    assert.deepEqual(manifest.engines, { vscode: '^1.79.0', azdata: '*' });
    for (const key of ['extensionDependencies', 'extensionPack', 'extensionKind'])
      assert.equal(key in manifest, false, key);
  });

  it('says that it works in virtual workspaces, and in untrusted ones without the policy, which is all that it reads of either', () => {
    assert.deepEqual(
      [manifest.capabilities.untrustedWorkspaces.supported, manifest.capabilities.virtualWorkspaces],
      ['limited', true],
    );
    // But for files that the user opens or picks in a dialog, and one that is written where the user says.
    const policy = readFileSync(join(root, 'src/shell/policy/workspace.ts'), 'utf8');
    const chosen = readFileSync(join(root, 'src/shell/kit/file-saver.ts'), 'utf8');
    const opened = ['captures/capture-editors', 'captures/event-files', 'error-logs/error-log-editors'].map(
      (name) => readFileSync(join(root, `src/shell/${name}.ts`), 'utf8'),
    );
    const rest = [chosen, ...opened, policy].reduce((text, part) => text.replace(part, ''), shipped);
    assert.doesNotMatch(rest, /workspace\.(fs|findFiles|workspaceFolders)|\bworkspaceState\b/);
    assert.match(policy, /workspace\.isTrusted/);
  });

  it('completes and checks the policy file in the editor by the schema that it ships', () => {
    assert.deepEqual(contributes.jsonValidation, [
      { fileMatch: POLICY_FILE_NAME, url: './media/checkpoint-policy.schema.json' },
    ]);
    assert.ok(existsSync(join(root, contributes.jsonValidation[0]?.url ?? '')));
  });

  it('has every file that it names, and an icon of 128 pixels', () => {
    const files = [
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.svg)),
    ];
    for (const file of files) assert.ok(existsSync(join(root, file)), file);
    const png = readFileSync(join(root, manifest.icon));
    assert.deepEqual(
      [png.subarray(1, 4).toString('latin1'), png.readUInt32BE(16), png.readUInt32BE(20)],
      ['PNG', 128, 128],
    );
  });

  it('has pictures in its walkthrough that follow the theme, and says in words what they show', () => {
    for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      const colours = [
        ...readFileSync(join(root, media.svg), 'utf8').matchAll(/(?:fill|stroke)="(?!none)([^"]+)"/g),
      ].map(([, colour]) => colour);
      assert.deepEqual(
        colours.filter((colour) => !/^var\(--vscode-/.test(colour ?? '')),
        [],
      );
      assert.ok((names[media.altText.replace(/%/g, '')] ?? '').length > 20, media.altText);
    }
  });

  it('shows only icons that the oldest editor has', () => {
    const known = new Set(
      readFileSync(require.resolve('@vscode/codicons/dist/codicon.csv'), 'utf8')
        .split('\n')
        .map((line) => line.split(',')[0]),
    );
    const rows = readShipped('src/shell/tree').matchAll(
      /name: '([a-z-]+)(?:~spin)?'|'([a-z-]+)' : '([a-z-]+)' \}/g,
    );
    const icons = [
      ...[...rows].flatMap((match) => match.slice(1)),
      ...[...text.matchAll(/\$\(([a-z-]+)\)/g)].map((match) => match[1]),
    ];
    const used = icons.filter((icon) => icon !== undefined);
    assert.ok(used.length > 20, `${used.length} icons`);
    assert.deepEqual([...new Set(used.filter((icon) => !known.has(icon as string)))], []);
  });

  it('has packages of the versions that docs/libraries.md names where they are not the newest', () => {
    const [, table = ''] = readFileSync(join(root, 'docs/libraries.md'), 'utf8').split(
      '| package | here | newest | why not |',
    );
    const rows = [
      ...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([^`]+)`[^|]*\| ([^ ]+) \| ([^ ]+) \| .{10,}\|$/gm),
    ];
    assert.ok(
      rows.length > 5 &&
        rows.length ===
          table
            .split('\n\n')[0]
            ?.split('\n')
            .filter((line) => line.startsWith('| `')).length,
    );
    const wanted: Readonly<Record<string, string>> = {
      ...cliManifest.devDependencies,
      ...manifest.devDependencies,
    };
    for (const [, name = '', here, newest] of rows) {
      assert.equal(wanted[name], here, name);
      assert.notEqual(here, newest, name);
    }
  });

  it('greets with something to do in each of its views', () => {
    const greeted = contributes.viewsWelcome.filter(({ when }) => when === undefined);
    assert.deepEqual(greeted.map(({ view }) => view).sort(), Object.values(viewIds).sort());
    // The first thing to do needs no other extension.
    for (const { contents } of greeted)
      assert.match(
        names[contents.replace(/%/g, '')] ?? '',
        /^[^[]*\[Add Server\]\(command:checkpointHealth\.addServer\)/,
      );
    const [walkthrough] = contributes.walkthroughs;
    assert.ok(walkthrough !== undefined && walkthrough.steps.length >= 3 && walkthrough.steps.length <= 5);
  });
});

/** Every context that a row of the pane can have. */
function listContexts(): readonly string[] {
  const source = readShipped('src/shell/tree');
  const suffixes = {
    server: ['closed', 'idle', 'tracking', 'busy', 'stopped'],
    tracking: ['idle', 'tracking', 'busy', 'stopped', 'refused'],
    database: ['automatic', 'indirect', 'fixed'],
    group: ['automatic', 'other'],
  };
  const contexts = Object.entries(suffixes).flatMap(([kind, list]) =>
    list.map((suffix) => {
      assert.ok(
        source.includes(`'${suffix}'`) || source.includes(`${kind}:${suffix}`),
        `${kind}:${suffix} is no context of a row`,
      );
      return `${kind}:${suffix}`;
    }),
  );
  return [
    ...contexts.flatMap((context) => {
      const more = context.startsWith('server:')
        ? ownerships
        : context.startsWith('database:')
          ? ['idle', 'tracked', 'beside']
          : [];
      return more.length === 0 ? [context] : more.map((each) => `${context},${each}`);
    }),
    'filter',
    'failure',
  ];
}

const ownerships: readonly Ownership[] = ['own', 'host', 'orphaned'];

/** `^(a|b:(c|d))$` as its single alternatives: ^a$, ^b:c$, ^b:d$. */
function listAlternatives(pattern: string): readonly string[] {
  const group = /^(.*?)\(([^()]*)\)(.*)$/.exec(pattern);
  if (group === null) return [pattern];
  const [, before, inside, after] = group as unknown as readonly [string, string, string, string];
  return inside.split('|').flatMap((one) => listAlternatives(`${before}${one}${after}`));
}
