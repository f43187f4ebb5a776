/**
 * Three kinds of T-SQL, told apart by type so that the compiler keeps the promise that no script that changes a database is ever run by us:
 * a Connection takes ReadText and OwnSessionText; ReviewText goes to a ScriptEditor only.
 */
declare const kind: unique symbol;

/** Reads; changes nothing. */
export type ReadText = string & { readonly [kind]: 'read' };
/** Creates, starts, stops or drops our own event session; run on the user's click only. */
export type OwnSessionText = string & { readonly [kind]: 'own session' };
/** Changes a database; opened in an editor for review, never executed by us. */
export type ReviewText = string & { readonly [kind]: 'review' };
