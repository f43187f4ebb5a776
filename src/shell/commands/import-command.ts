/**
 * Imports the connections of the SQL Server extension (mssql) into our own list. Connects to nothing, takes no password
 * along, and asks once for that of each account that several servers share.
 */
import { randomUUID } from 'node:crypto';
import { countOf } from '../../core/format';
import { joinSentences, t } from '../../core/language';
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
import { listNames } from '../servers/server-passwords';
import { KEPT } from '../servers/server-questions';
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
  for (const server of chosen) {
    try {
      const { answers, obstacle } = server;
      const asked = { title: t('Import {0}', answers.name), answers, isEdit: false };
      const given =
        obstacle === null
          ? { ...answers, password: passwords.get(nameAccount(answers)) }
          : await askAnswers(form, asked);
      kept.push((await keepServer(context, form, given, server.id ?? randomUUID())).id);
    } catch (error) {
      // The user left the question about this one.
      if (!(error instanceof Dismissed)) throw error;
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
    const [one, names] = [sharing[0] as ServerAnswers, listNames(sharing.map(({ name }) => name))];
    const typed = await input.askText({
      title: t('Import {0} servers', chosen.length),
      step: index + 1,
      totalSteps: accounts.length,
      prompt: joinSentences(
        t('Password of {0} for {1} servers: {2}.', describeLogin(one), sharing.length, names),
        t('It is sent to each of them when you open it.'),
        rules().allowStoredPasswords ? KEPT : '',
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
  const detail = obstacle ?? note;
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
