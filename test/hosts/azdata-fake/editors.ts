/** Query editors, after mainThreadQueryEditor.ts of Azure Data Studio 1.47. */
import type * as azdata from 'azdata';
import type { HostConnections } from './connections';

/** Shows a text in an unsaved SQL document and gives its URI. */
export type ShowDocument = (content: string) => Promise<string>;

export interface OpenedScript {
  readonly uri: string;
  readonly content: string;
}

export class HostEditors {
  readonly opened: OpenedScript[] = [];
  /** `connect` of an editor never ends, as that of a document may not. */
  isStuck = false;

  constructor(
    private readonly connections: HostConnections,
    private readonly show: ShowDocument | undefined,
  ) {}

  readonly openQueryDocument = async (options?: { content?: string }, providerId = 'MSSQL'): Promise<azdata.queryeditor.QueryDocument> => {
    const content = options?.content ?? '';
    const uri = (await this.show?.(content)) ?? `untitled:SQLQuery_${this.opened.length + 1}`;
    this.opened.push({ uri, content });
    return { uri, providerId } as azdata.queryeditor.QueryDocument;
  };

  /** An id that is not in use is ignored, and a login that fails is not told of. */
  readonly connect = async (uri: string, id: string): Promise<void> => {
    if (this.isStuck) return new Promise(() => undefined);
    const profile = this.connections.active().find((one) => one.id === id);
    if (profile !== undefined) await this.connections.connect(profile, uri);
  };

  /** Where the script is connected to; null where it is not. */
  connectedTo(uri: string): string | null {
    const server = this.connections.find(uri)?.options['server'];
    return typeof server === 'string' ? server : null;
  }
}
