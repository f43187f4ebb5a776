/**
 * Stands in the bundle for `@azure/identity` and `@azure/keyvault-keys`. tedious loads both at start, for ways to log in and for a key store that
 * this product does not use: a token is fetched by the host and handed over ready (docs/libraries.md, Tedious).
 */
class LeftOut {
  constructor() {
    throw new Error('This way to log in to Azure is not part of Checkpoint Health: use a SQL login or an access token.');
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
