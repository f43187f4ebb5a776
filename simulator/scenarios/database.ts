type RecoveryModel = 'FULL' | 'SIMPLE' | 'BULK_LOGGED';
export type DatabaseState = 'ONLINE' | 'RESTORING' | 'OFFLINE';

/** The workload of a database. All rates are those of the busiest time of its day. */
export interface WorkloadShape {
  readonly activity: 'busy' | 'light' | 'idle';
  readonly logRecordsPerSecond: number;
  readonly bytesPerLogRecord: number;
  readonly logRecordsPerTransaction: number;
  /**
   * Log records that trigger an automatic checkpoint at a recovery interval of one minute: the engine's estimate, whose
   * formula is not published.
   */
  readonly logRecordsPerCheckpoint: number;
  /** Pages that the workload writes over and over: the most that can be dirty at once. */
  readonly workingSetPages: number;
  /** Log records, on average, until a new page of the working set is touched. */
  readonly logRecordsPerPage: number;
  /** Pages gathered into one write: 1.4 scattered, 32 and more contiguous. */
  readonly pagesPerWrite: number;
  /** A recurring batch job that multiplies log records for some minutes. */
  readonly batch?: {
    readonly everyMinutes: number;
    readonly firstMinute: number;
    readonly lengthMinutes: number;
    readonly factor: number;
  };
}

/** A database as it is when the model begins. */
export interface DatabaseDescription {
  readonly id: number;
  readonly name: string;
  readonly targetRecoverySeconds: number;
  readonly createdLocal: string;
  readonly state: DatabaseState;
  readonly isReadOnly: boolean;
  readonly isInStandby: boolean;
  /** Shown since 2019; its recovery is not modelled. */
  readonly hasAcceleratedRecovery?: boolean;
  readonly recoveryModel: RecoveryModel;
  readonly logReuseWait: { readonly id: number; readonly name: string };
  readonly collation: string;
  readonly dataVolume: string;
  readonly logVolume: string;
  readonly dataMb: number;
  readonly logMb: number;
  readonly vlfCount: number;
  readonly workload: WorkloadShape;
}
