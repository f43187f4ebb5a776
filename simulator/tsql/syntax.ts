/** The abstract syntax of a batch, from the parser to the binder and interpreter. `line` counts from 1 in the batch. */

export interface TypeName {
  /** Lower case: int, nvarchar, datetime2, sysname... */
  readonly name: string;
  /** Length, precision or scale as written; 'max' for (max). */
  readonly first?: number | 'max';
  readonly second?: number;
  readonly line: number;
}

export type Arithmetic = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^';
export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

export interface OrderItem {
  readonly expression: Expression;
  readonly descending: boolean;
}

export interface Over {
  readonly partitionBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  /** ROWS/RANGE text, already normalised ("ROWS BETWEEN 1 PRECEDING AND CURRENT ROW"). */
  readonly frame?: string;
}

export interface Call {
  readonly kind: 'call';
  readonly name: readonly string[];
  readonly args: readonly Expression[];
  readonly star: boolean;
  readonly distinct: boolean;
  readonly over?: Over;
  readonly withinGroup?: readonly OrderItem[];
  readonly line: number;
}

export type Expression =
  | {
      readonly kind: 'literal';
      readonly type: 'number' | 'string' | 'nstring' | 'binary' | 'null' | 'default';
      readonly text: string;
      readonly line: number;
    }
  | { readonly kind: 'variable'; readonly name: string; readonly line: number }
  | { readonly kind: 'column'; readonly parts: readonly string[]; readonly line: number }
  | { readonly kind: 'word'; readonly text: string; readonly line: number }
  | {
      readonly kind: 'unary';
      readonly operator: '-' | '+' | '~';
      readonly operand: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'binary';
      readonly operator: Arithmetic;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'case';
      readonly input?: Expression;
      readonly whens: readonly { readonly when: Expression | Condition; readonly then: Expression }[];
      readonly otherwise?: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'cast';
      readonly operand: Expression;
      readonly type: TypeName;
      readonly style?: Expression;
      readonly attempt: boolean;
      readonly line: number;
    }
  | Call
  | { readonly kind: 'subquery'; readonly query: Query; readonly line: number }
  | {
      readonly kind: 'collate';
      readonly operand: Expression;
      readonly collation: string;
      readonly line: number;
    }
  | {
      readonly kind: 'method';
      readonly target: Expression;
      readonly name: string;
      readonly args: readonly Expression[];
      readonly line: number;
    };

export type Condition =
  | {
      readonly kind: 'and' | 'or';
      readonly left: Condition;
      readonly right: Condition;
      readonly line: number;
    }
  | { readonly kind: 'not'; readonly operand: Condition; readonly line: number }
  | {
      readonly kind: 'compare';
      readonly operator: Comparison;
      readonly left: Expression;
      readonly right: Expression;
      readonly line: number;
    }
  | {
      readonly kind: 'isNull';
      readonly operand: Expression;
      readonly negated: boolean;
      readonly line: number;
    }
  | {
      readonly kind: 'in';
      readonly operand: Expression;
      readonly list?: readonly Expression[];
      readonly query?: Query;
      readonly negated: boolean;
      readonly line: number;
    }
  | {
      readonly kind: 'between';
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
      readonly negated: boolean;
      readonly line: number;
    }
  | {
      readonly kind: 'like';
      readonly operand: Expression;
      readonly pattern: Expression;
      readonly escape?: Expression;
      readonly negated: boolean;
      readonly line: number;
    }
  | { readonly kind: 'exists'; readonly query: Query; readonly line: number };

export type SelectItem =
  | { readonly kind: 'expression'; readonly expression: Expression; readonly alias?: string }
  | { readonly kind: 'star'; readonly qualifier?: readonly string[]; readonly line: number }
  | {
      readonly kind: 'assign';
      readonly variable: string;
      readonly expression: Expression;
      readonly line: number;
    };

export type Source =
  | {
      readonly kind: 'table';
      readonly name: readonly string[];
      readonly alias?: string;
      readonly line: number;
    }
  | {
      readonly kind: 'function';
      readonly name: readonly string[];
      readonly args: readonly Expression[];
      readonly alias?: string;
      readonly columns?: readonly string[];
      readonly line: number;
    }
  | {
      readonly kind: 'derived';
      readonly query: Query;
      readonly alias: string;
      readonly columns?: readonly string[];
      readonly line: number;
    }
  | {
      readonly kind: 'values';
      readonly rows: readonly (readonly Expression[])[];
      readonly alias: string;
      readonly columns: readonly string[];
      readonly line: number;
    }
  | {
      readonly kind: 'nodes';
      readonly target: Expression;
      readonly path: Expression;
      readonly alias: string;
      readonly columns: readonly string[];
      readonly line: number;
    }
  | {
      readonly kind: 'join';
      readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross';
      readonly left: Source;
      readonly right: Source;
      readonly on?: Condition;
      readonly line: number;
    }
  | {
      readonly kind: 'apply';
      readonly outer: boolean;
      readonly left: Source;
      readonly right: Source;
      readonly line: number;
    };

export interface Top {
  readonly count: Expression;
}

export interface Select {
  readonly kind: 'select';
  readonly distinct: boolean;
  readonly top?: Top;
  readonly items: readonly SelectItem[];
  readonly from: readonly Source[];
  readonly where?: Condition;
  readonly groupBy: readonly Expression[];
  readonly having?: Condition;
  readonly line: number;
}

export type QueryBody =
  | Select
  | {
      readonly kind: 'union' | 'unionAll';
      readonly left: QueryBody;
      readonly right: QueryBody;
      readonly line: number;
    }
  | { readonly kind: 'nested'; readonly query: Query; readonly line: number };

/** FOR XML PATH('') at the end of a query. */
export interface ForClause {
  readonly line: number;
}

export interface Query {
  readonly body: QueryBody;
  readonly orderBy: readonly OrderItem[];
  readonly for?: ForClause;
  readonly line: number;
}
