/** The words that events are written with, as bytes: their places. */

/** [CDATA[ */
export const CDATA: usize = memory.data<u8>([91, 67, 68, 65, 84, 65, 91]);
/** event */
export const EVENT: usize = memory.data<u8>([101, 118, 101, 110, 116]);
/** name */
export const NAME: usize = memory.data<u8>([110, 97, 109, 101]);
/** package */
export const PACKAGE: usize = memory.data<u8>([112, 97, 99, 107, 97, 103, 101]);
/** sqlserver */
export const SQLSERVER: usize = memory.data<u8>([115, 113, 108, 115, 101, 114, 118, 101, 114]);
/** timestamp */
export const TIMESTAMP: usize = memory.data<u8>([116, 105, 109, 101, 115, 116, 97, 109, 112]);
/** data */
export const DATA: usize = memory.data<u8>([100, 97, 116, 97]);
/** action */
export const ACTION: usize = memory.data<u8>([97, 99, 116, 105, 111, 110]);
/** value */
export const VALUE: usize = memory.data<u8>([118, 97, 108, 117, 101]);
/** database_id */
export const DATABASE_ID: usize = memory.data<u8>([100, 97, 116, 97, 98, 97, 115, 101, 95, 105, 100]);
/** attach_activity_id */
export const ACTIVITY_ID: usize = memory.data<u8>([97, 116, 116, 97, 99, 104, 95, 97, 99, 116, 105, 118, 105, 116, 121, 95, 105, 100]);
/** checkpoint_ */
export const CHECKPOINT: usize = memory.data<u8>([99, 104, 101, 99, 107, 112, 111, 105, 110, 116, 95]);
