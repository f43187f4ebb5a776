/**
 * Imports the connections of the SQL Server extension (mssql) into our own list. Connects to nothing, takes no password
 * along, and asks once for that of each account that several servers share.
 */
import { randomUUID } from 'node:crypto';
import { countOf } from '../../core/format';
import { joinSentences, t } from '../../core/language';
import { describeError } from '../../monitor/queries/failure';
import { type CommandHandler, Dismissed } from '../kit/command-table';
import type { Option } from '../kit/conversation';
import { writeAddress } from '../servers/saved-server';
import { describeLogin, nameAccount, takesPassword } from '../../hosts/host';
import {
  type Imported,
  type ImportedServer,
  readImported,
  type WrittenConnections,
} from '../servers/imported-servers';
import type { ServerAnswers } from '../servers/server-answers';
import { KEPT, TRUST_DETAIL } from '../servers/server-questions';
import type { CommandContext } from './command-context';
import { askAnswers, keepServer, type ServerForm } from './server-commands';

interface Settings {
  /** null if the setting is no list. */
  readonly read: () => WrittenConnections | null;
  readonly open: () => Promise<void>;
}

export function createImportCommand(
  context: CommandContext,
  form: ServerForm,
  settings: Settings,
): CommandHandler {
  return async () => {
    const { conversation, servers } = context;
    const written = settings.read();
    if (written === null) {
      conversation.offer(
        t('The setting mssql.connections is not a list: correct it first.'),
        t('Open Setting'),
        settings.open,
      );
      throw new Dismissed();
    }
    const found = readImported(written, { ...form, rules: form.rules() }, servers.saved.list());
    if (found.servers.length === 0) {
      conversation.offer(explainNothing(found), t('Add Server'), context.addServer);
      throw new Dismissed();
    }
    const chosen = await conversation.chooseMany(describeChoice(found), found.servers.map(createOption));
    const [first] = await keepChosen(context, form, chosen);
    if (first === undefined) throw new Dismissed();
    await form.reveal(first, false);
  };
}

/** @returns the ids of those that are in the list now */
async function keepChosen(
  context: CommandContext,
  form: ServerForm,
  chosen: readonly ImportedServer[],
): Promise<readonly string[]> {
  const kept: string[] = [];
  const passwords = await askPasswords(form, chosen);
  const { saved } = context.servers;
  for (const server of chosen) {
    const { answers, obstacle } = server;
    try {
      const asked = { title: t('Import {0}', answers.name), answers, isEdit: false };
      const given =
        obstacle === null
          ? { ...answers, password: passwords.get(nameAccount(answers)) }
          : await askAnswers(form, asked);
      // It may have come into the list while we asked.
      if (saved.list().some(({ id }) => id === server.id)) continue;
      kept.push((await keepServer(context, form, given, server.id ?? randomUUID())).id);
    } catch (error) {
      // The user left the question about this one, or it is forbidden meanwhile: the others come in all the same.
      if (!(error instanceof Dismissed)) form.input.tell(`${answers.name}: ${describeError(error)}`);
    }
  }
  context.log.info(
    `Imported ${kept.length} of ${chosen.length} chosen connections of the SQL Server extension.`,
  );
  return kept;
}

/**
 * Asks once for the password of each account that several servers share: it is sent to these servers, and to no other.
 * An empty answer leaves it to each server to ask when it is opened; Escape leaves that to all that are left.
 * @returns the passwords by account
 */
async function askPasswords(
  { input, rules }: ServerForm,
  chosen: readonly ImportedServer[],
): Promise<ReadonlyMap<string, string>> {
  const servers = chosen.flatMap(({ answers, obstacle }) =>
    obstacle === null && takesPassword(answers) ? answers : [],
  );
  const accounts = [...new Set(servers.map(nameAccount))]
    .map((account) => servers.filter((answers) => nameAccount(answers) === account))
    .filter(({ length }) => length > 1);
  const passwords = new Map<string, string>();
  for (const [index, sharing] of accounts.entries()) {
    const one = sharing[0] as ServerAnswers;
    const typed = await input.askText({
      // By addresses: a name of the settings may be that of another server. What the settings write comes last.
      title: t('Password of {0}', describeLogin(one)),
      step: index + 1,
      totalSteps: accounts.length,
      prompt: joinSentences(
        t(
          'For {0} of the servers that you chose. It is sent to each of them when you open it.',
          sharing.length,
        ),
        rules().allowStoredPasswords ? KEPT : '',
        sharing.map(writeAddress).join(', '),
      ),
      placeholder: t('Empty: each of them asks for its own'),
      value: '',
      isPassword: true,
      check: () => null,
    });
    if (typeof typed !== 'string') break;
    if (typed !== '') passwords.set(nameAccount(one), typed);
  }
  return passwords;
}

function createOption(server: ImportedServer): Option<ImportedServer> {
  const { answers, group, obstacle, note } = server;
  const login = answers.authentication === 'sql' && answers.user === '' ? [] : [describeLogin(answers)];
  const isNamed = obstacle === null ? login : [];
  const detail = obstacle ?? note ?? (answers.trustServerCertificate ? TRUST_DETAIL : null);
  return {
    value: server,
    label: answers.name,
    description: [writeAddress(answers), ...isNamed, ...(group === '' ? [] : [group])].join(' · '),
    ...(detail !== null && { detail }),
    isPicked: obstacle === null,
  };
}

function describeChoice({ known, damaged }: Imported): string {
  return [
    t('Connections to import, without their passwords'),
    ...(known.length === 0
      ? []
      : [countOf(known.length, t('{0} is in the list already'), t('{0} are in the list already'))]),
    ...(damaged === 0
      ? []
      : [countOf(damaged, t('{0} entry cannot be read'), t('{0} entries cannot be read'))]),
  ].join('; ');
}

function explainNothing({ known, damaged }: Imported): string {
  if (known.length > 0) return t('Every connection of the SQL Server extension is in the list already.');
  if (damaged > 0) return t('No entry of the setting mssql.connections names a server that can be read.');
  return t('The settings have no connection of the SQL Server extension.');
}
