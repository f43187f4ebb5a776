/** What the program ends with; `--help` lists them. */
export const EXIT = { done: 0, findings: 1, usage: 2, someServers: 3, failed: 4 } as const;
