export type EventSessionScope = 'server' | 'database';

export interface EventDefinition {
  readonly package: string;
  readonly name: string;
  readonly actions: readonly string[];
  /** As parsed from WHERE; the engine evaluates it against the event's fields. */
  readonly predicate?: Predicate;
  /** The source text of the predicate, as sys.server_event_session_events shows it. */
  readonly predicateText?: string;
}

export type Predicate =
  | { readonly kind: 'and' | 'or'; readonly left: Predicate; readonly right: Predicate }
  | { readonly kind: 'not'; readonly operand: Predicate }
  | {
      readonly kind: 'compare';
      readonly source: string;
      readonly operator: CompareOperator;
      readonly value: number | string;
    };

export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface TargetDefinition {
  readonly package: string;
  readonly name: string;
  readonly options: Readonly<Record<string, string | number>>;
}

export const fileTarget = (options: TargetDefinition['options']): TargetDefinition => ({
  package: 'package0',
  name: 'event_file',
  options,
});
export const ringTarget = (options: TargetDefinition['options'] = {}): TargetDefinition => ({
  package: 'package0',
  name: 'ring_buffer',
  options,
});

export interface EventSessionDefinition {
  readonly name: string;
  readonly scope: EventSessionScope;
  readonly events: readonly EventDefinition[];
  readonly targets: readonly TargetDefinition[];
  /**
   * MAX_MEMORY, EVENT_RETENTION_MODE, MAX_DISPATCH_LATENCY, TRACK_CAUSALITY, STARTUP_STATE, ... upper-case, values as
   * written ("5 SECONDS", "ON").
   */
  readonly options: Readonly<Record<string, string>>;
}

/** One clause of ALTER EVENT SESSION. */
export type EventSessionChange =
  | { readonly kind: 'addEvent'; readonly event: EventDefinition }
  | { readonly kind: 'dropEvent' | 'dropTarget'; readonly package: string; readonly name: string }
  | { readonly kind: 'state'; readonly state: 'start' | 'stop' };
