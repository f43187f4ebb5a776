/** A script other than the switch that the user asks for. */
export type ScriptRequest =
  | {
      readonly kind: 'before failover';
      /** null: every user database with automatic checkpoints. */
      readonly databaseIds: readonly number[] | null;
      /** Number of scripts, to be run at the same time. */
      readonly windows: number;
      /** Begin no further CHECKPOINT after this many minutes; 0: no limit. */
      readonly stopAfterMinutes: number;
    }
  | {
      readonly kind: 'throttled checkpoint';
      readonly databaseIds: readonly number[];
      readonly seconds: number;
    }
  | { readonly kind: 'recovery interval'; readonly minutes: number }
  | { readonly kind: 'model'; readonly targetSeconds: number }
  | { readonly kind: 'scan cost'; readonly databaseId: number; readonly times: number };

export type ScriptKind = ScriptRequest['kind'];
