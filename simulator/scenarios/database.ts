type RecoveryModel = 'FULL' | 'SIMPLE' | 'BULK_LOGGED';
export type DatabaseState = 'ONLINE' | 'RESTORING' | 'OFFLINE';

/** How a database works when it works. All rates are at the top of its day. */
export interface WorkloadShape {
  readonly activity: 'busy' | 'light' | 'idle';
  readonly logRecordsPerSecond: number;
  readonly bytesPerLogRecord: number;
  readonly logRecordsPerTransaction: number;
  /** Log records that call for an automatic checkpoint at a recovery interval of one minute: the engine's own estimate, whose formula is not published. */
  readonly logRecordsPerCheckpoint: number;
  /** Pages that the workload writes over and over: the most that can be dirty at once. */
  readonly workingSetPages: number;
  /** Log records, on average, until a new page of the working set is touched. */
  readonly logRecordsPerPage: number;
  /** Pages gathered into one write: 1.4 scattered, 32 and more contiguous. */
  readonly pagesPerWrite: number;
  /** A batch job that comes back: it multiplies log records for some minutes. */
  readonly batch?: { readonly everyMinutes: number; readonly firstMinute: number; readonly lengthMinutes: number; readonly factor: number };
}

/** What a database is to the model when it begins. */
export interface DatabaseDescription {
  readonly id: number;
  readonly name: string;
  readonly targetRecoverySeconds: number;
  readonly createdLocal: string;
  readonly state: DatabaseState;
  readonly isReadOnly: boolean;
  readonly isInStandby: boolean;
  /** Shown since 2019; how it recovers is not modelled. */
  readonly hasAcceleratedRecovery?: boolean;
  readonly recoveryModel: RecoveryModel;
  readonly compatibilityLevel: number;
  readonly logReuseWait: { readonly id: number; readonly name: string };
  readonly pageVerify: 'CHECKSUM' | 'TORN_PAGE_DETECTION';
  readonly collation: string;
  readonly dataVolume: string;
  readonly logVolume: string;
  readonly dataMb: number;
  readonly logMb: number;
  readonly vlfCount: number;
  readonly workload: WorkloadShape;
}
