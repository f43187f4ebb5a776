import * as azdata from 'azdata';
import type { CredentialProvider } from 'azdata';
import type { ExtensionContext } from 'vscode';
import { createConnectionProvider } from './connection-provider';
import { createObjectExplorerProvider } from './object-explorer-provider';
import { createQueryProvider } from './query-provider';
import { createSessions } from './sessions';
import { openTestChannel } from './test-channel';

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
  if (channelFile !== undefined) context.subscriptions.push(await openTestChannel(channelFile));
}

/** Passwords in memory: those that the host saves, and for every other saved connection the one given here. */
function createPasswords(seeded: string | undefined): CredentialProvider {
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
