/**
 * Event sessions of the standalone server: ours running, one of others that can be followed, one that records begins
 * alone.
 */
import type { ViewRows } from '../modelled-server';

const xml = '<EventFileTarget truncated="0"><Buffers logged="3" dropped="0"/></EventFileTarget>';

export const SESSION_ROWS: ViewRows = {
  'sys.server_event_sessions': [
    [65_536, 'CheckpointHealth', true, 5_000],
    [65_537, 'Watch', false, 30_000],
    [65_538, 'BeginsOnly', false, 30_000],
    [65_539, 'Stopped', false, 30_000],
  ],
  'sys.server_event_session_events': [
    [65_537, 2, 'sqlserver', 'checkpoint_begin', null],
    [65_537, 3, 'sqlserver', 'checkpoint_end', null],
    [65_538, 4, 'sqlserver', 'checkpoint_begin', null],
    [65_539, 5, 'sqlserver', 'checkpoint_begin', null],
    [65_539, 6, 'sqlserver', 'checkpoint_end', null],
    [65_538, 7, 'another', 'checkpoint_end', null],
    [65_536, 8, 'sqlserver', 'checkpoint_begin', '([database_id]=(5))'],
    [65_536, 9, 'sqlserver', 'checkpoint_end', '([database_id]=(5))'],
    [65_536, 10, 'sqlserver', 'user_event', "([user_info]=N'CheckpointHealth-0123')"],
    [65_537, 11, 'sqlserver', 'user_event', "([user_info]=N'of somebody')"],
  ],
  'sys.server_event_session_actions': [
    [65_536, 8, 'sqlserver', 'is_system'],
    [65_536, 8, 'sqlserver', 'session_id'],
    [65_536, 9, 'sqlserver', 'is_system'],
    [65_537, 2, 'sqlserver', 'is_system'],
    [65_536, 10, 'sqlserver', 'is_system'],
    [65_537, 3, 'another', 'is_system'],
  ],
  'sys.server_event_session_targets': [
    [65_537, 5, 'event_file'],
    [65_536, 6, 'ring_buffer'],
    [65_536, 1, 'event_file'],
    [65_537, 2, 'ring_buffer'],
    [65_538, 3, 'ring_buffer'],
    [65_539, 4, 'ring_buffer'],
  ],
  'sys.server_event_session_fields': [
    ...['filename', 'max_rollover_files', 'max_file_size'].flatMap(
      (name): readonly (readonly [number, number, string, string])[] => [
        [65_537, 5, name, '77'],
        [65_536, 6, name, '88'],
      ],
    ),
    [65_536, 1, 'filename', 'CheckpointHealth.xel'],
    [65_536, 1, 'max_rollover_files', '4'],
    [65_536, 1, 'max_file_size', '64'],
  ],
  'sys.dm_xe_sessions': [
    ['0x01', 'CheckpointHealth', '2026-03-02T08:30:00.123', 0, 2, 4_194_304],
    ['0x02', 'Watch', '2026-03-01T08:30:00.123', 0, 0, 4_194_304],
    ['0x03', 'BeginsOnly', '2026-03-01T09:30:00.123', 0, 0, 4_194_304],
  ],
  'sys.dm_xe_session_targets': [
    ['0x02', 'event_file', '<other/>'],
    ['0x01', 'etw_classic_sync_target', '<none/>'],
    ['0x01', 'event_file', xml],
    ['0x01', 'ring_buffer', `<RingBufferTarget>${'x'.repeat(30_000)}</RingBufferTarget>`],
  ],
  'sys.fn_xe_file_target_read_file': [
    ['checkpoint_begin', '<event name="checkpoint_begin"/>', 'C_0_1.xel', 5_120],
    ['checkpoint_end', '<event name="checkpoint_end"/>', 'C_0_1.xel', 5_120],
  ],
};

export const EXPECTED_OF_SESSIONS: Readonly<Record<string, readonly string[]>> = {
  eventSession: [
    `STANDALONE|2026-02-18T04:00:00.123|748|2026-03-02T08:00:00.1230000|60|1|1|65536|2026-03-02T08:30:00.123|2026-03-01T08:30:00.123|0|2|4194304|1|5000|1|1|1|([database_id]=(5))|([database_id]=(5))|([user_info]=N'CheckpointHealth-0123')|CheckpointHealth.xel|4|64|1|${xml}`,
  ],
  adoptableSessions: [
    'CheckpointHealth|2026-03-02T08:30:00.123|1|1|1|1|([database_id]=(5))',
    'Watch|2026-03-01T08:30:00.123|0|0|1|1|~',
  ],
  checkpointEvents: [
    'checkpoint_begin|<event name="checkpoint_begin"/>|C_0_1.xel|5120',
    'checkpoint_end|<event name="checkpoint_end"/>|C_0_1.xel|5120',
  ],
  ringBuffer: [
    `0|30037|<RingBufferTarget>${'x'.repeat(29_982)}`,
    `1|30037|${'x'.repeat(18)}</RingBufferTarget>`,
  ],
};
