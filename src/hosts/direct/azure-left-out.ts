/**
 * Replaces `@azure/identity` and `@azure/keyvault-keys` in the bundle. tedious loads both at start, for kinds of login
 * and a key store that we do not use: the host fetches a token and hands it to us (docs/libraries.md, Tedious).
 */
class LeftOut {
  constructor() {
    throw new Error(
      'This way to log in to Azure is not part of Checkpoint Health: use a SQL login or an access token.',
    );
  }
}

export {
  LeftOut as ClientSecretCredential,
  LeftOut as CryptographyClient,
  LeftOut as DefaultAzureCredential,
  LeftOut as KeyClient,
  LeftOut as ManagedIdentityCredential,
  LeftOut as UsernamePasswordCredential,
};
