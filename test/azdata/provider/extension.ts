import * as azdata from 'azdata';
import { env, type ExtensionContext, version } from 'vscode';
import { createConnectionProvider } from './connection-provider';
import { createObjectExplorerProvider } from './object-explorer-provider';
import { createQueryProvider } from './query-provider';
import { createSessions } from './sessions';
import { openChannel } from '../../../tools/dev-extension/channel';

/**
 * Environment, set by the test that starts the host:
 * AZDATA_PROVIDER_PASSWORD  the password of every saved connection, as the store of the operating system would give it
 * AZDATA_PROVIDER_CHANNEL   a file to write the channel's address to
 * AZDATA_PROVIDER_RUNS      a file that gets a line of JSON for each text that goes to the server
 */
export async function activate(context: ExtensionContext): Promise<void> {
  const sessions = createSessions();
  context.subscriptions.push(
    azdata.credentials.registerProvider(createPasswords(process.env['AZDATA_PROVIDER_PASSWORD'])),
    azdata.dataprotocol.registerConnectionProvider(createConnectionProvider(sessions)),
    azdata.dataprotocol.registerObjectExplorerProvider(createObjectExplorerProvider()),
    azdata.dataprotocol.registerQueryProvider(createQueryProvider(sessions)),
  );
  const channelFile = process.env['AZDATA_PROVIDER_CHANNEL'];
  if (channelFile !== undefined) context.subscriptions.push(await openChannel(channelFile, answers));
}

/** Passwords in memory: those that the host saves, and for every other saved connection the one given here. */
function createPasswords(seeded: string | undefined): azdata.CredentialProvider {
  const saved = new Map<string, string>();
  return {
    handle: 0,
    saveCredential: async (credentialId, password) => {
      saved.set(credentialId, password);
      return true;
    },
    readCredential: async (credentialId) => ({ credentialId, password: saved.get(credentialId) ?? seeded ?? '' }),
    deleteCredential: async (credentialId) => saved.delete(credentialId),
  };
}

/* What a test may ask. */
const answers: Readonly<Record<string, (details: Readonly<Record<string, unknown>>) => unknown>> = {
  versions: () => ({ vscode: version, azdata: azdata.version, node: process.version, app: env.appName }),
  connections: async ({ activeOnly }) => (await azdata.connection.getConnections(activeOnly === true)).map(describeConnection),
  query: async ({ connectionId, sql }) => {
    const uri = await azdata.connection.getUriForConnection(String(connectionId));
    const provider = azdata.dataprotocol.getProvider<azdata.QueryProvider>('MSSQL', azdata.DataProviderType.QueryProvider);
    return { uri, result: await provider.runQueryAndReturn(uri, String(sql)) };
  },
  /** What the editor with this document is connected to; null where it is not. */
  connectionOf: async ({ uri }) => {
    const profile = (await azdata.connection.getConnection(String(uri))) as azdata.connection.ConnectionProfile | undefined;
    return profile ? describeConnection(profile) : null;
  },
};

function describeConnection({ connectionId, providerId, serverName, databaseName }: azdata.connection.ConnectionProfile): object {
  return { connectionId, providerId, serverName, databaseName };
}
