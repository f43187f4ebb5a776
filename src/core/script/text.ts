/**
 * Three kinds of T-SQL. Their types differ, so the compiler keeps our promise: we never run a script that changes a
 * database. A Connection takes ReadText and OwnSessionText; ReviewText goes to a ScriptEditor only. A template still
 * holds SSMS template parameters (`<name, type, default>`); filling one gives a text of the same kind.
 */
declare const kind: unique symbol;

/** Reads; changes nothing. */
export type ReadText = string & { readonly [kind]: 'read' };
/** Creates, starts, stops or drops our own event session; run on the user's click only. */
export type OwnSessionText = string & { readonly [kind]: 'own session' };
/** A value that a text names as `@name`. So the text is the same each time, and its plan is kept. */
export interface Parameter {
  readonly name: string;
  readonly type: 'nvarchar(260)' | 'bigint';
  /** As text; null is NULL. */
  readonly value: string | null;
}
/** A read with the values that it names. */
export interface ParameterRead {
  readonly text: ReadText;
  readonly parameters: readonly Parameter[];
}
/** Changes a database; opened in an editor for review, never executed by us. */
export type ReviewText = string & { readonly [kind]: 'review' };

export type ReadTemplate = string & { readonly [kind]: 'read template' };
export type OwnSessionTemplate = string & { readonly [kind]: 'own session template' };
export type ReviewTemplate = string & { readonly [kind]: 'review template' };
