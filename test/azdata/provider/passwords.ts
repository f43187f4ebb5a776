import type { CredentialProvider } from 'azdata';

/** Passwords in memory: those that the host saves, and for every other saved connection the one given here. */
export function createPasswords(seeded: string | undefined): CredentialProvider {
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
