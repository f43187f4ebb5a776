/** Event sessions of the standalone server: ours running, one of others that can be followed, one that records begins alone. */
import type { Row } from '../modelled-server';

const event = (session: number, name: string, predicate: string | null = null): Row => ({
  event_session_id: session,
  package: 'sqlserver',
  name,
  predicate,
});
const xml = '<EventFileTarget truncated="0"><Buffers logged="3" dropped="0"/></EventFileTarget>';

export const SESSION_ROWS: Readonly<Record<string, readonly Row[]>> = {
  'sys.server_event_sessions': [
    { event_session_id: 65_536, name: 'CheckpointHealth', track_causality: 1, max_dispatch_latency: 5_000 },
    { event_session_id: 65_537, name: 'Watch', track_causality: 0, max_dispatch_latency: 30_000 },
    { event_session_id: 65_538, name: 'BeginsOnly', track_causality: 0, max_dispatch_latency: 30_000 },
    { event_session_id: 65_539, name: 'Stopped', track_causality: 0, max_dispatch_latency: 30_000 },
  ],
  'sys.server_event_session_events': [
    event(65_536, 'checkpoint_begin', '([database_id]=(5))'),
    event(65_536, 'checkpoint_end', '([database_id]=(5))'),
    event(65_537, 'checkpoint_begin'),
    event(65_537, 'checkpoint_end'),
    event(65_538, 'checkpoint_begin'),
    event(65_539, 'checkpoint_begin'),
    event(65_539, 'checkpoint_end'),
  ],
  'sys.server_event_session_targets': [
    { event_session_id: 65_536, target_id: 1, name: 'event_file' },
    { event_session_id: 65_537, target_id: 2, name: 'ring_buffer' },
    { event_session_id: 65_538, target_id: 3, name: 'ring_buffer' },
    { event_session_id: 65_539, target_id: 4, name: 'ring_buffer' },
  ],
  'sys.server_event_session_fields': [
    { event_session_id: 65_536, object_id: 1, name: 'filename', value: 'CheckpointHealth.xel' },
    { event_session_id: 65_536, object_id: 1, name: 'max_rollover_files', value: '4' },
    { event_session_id: 65_536, object_id: 1, name: 'max_file_size', value: '64' },
  ],
  'sys.dm_xe_sessions': [
    {
      address: '0x01',
      name: 'CheckpointHealth',
      create_time: '2026-03-02T08:30:00.123',
      dropped_event_count: 0,
      dropped_buffer_count: 2,
      total_buffer_size: 4_194_304,
    },
    {
      address: '0x02',
      name: 'Watch',
      create_time: '2026-03-01T08:30:00.123',
      dropped_event_count: 0,
      dropped_buffer_count: 0,
      total_buffer_size: 4_194_304,
    },
    {
      address: '0x03',
      name: 'BeginsOnly',
      create_time: '2026-03-01T09:30:00.123',
      dropped_event_count: 0,
      dropped_buffer_count: 0,
      total_buffer_size: 4_194_304,
    },
  ],
  'sys.dm_xe_session_targets': [
    { event_session_address: '0x01', target_name: 'event_file', target_data: xml },
    {
      event_session_address: '0x01',
      target_name: 'ring_buffer',
      target_data: `<RingBufferTarget>${'x'.repeat(30_000)}</RingBufferTarget>`,
    },
  ],
  'model.events': [
    { object_name: 'checkpoint_begin', event_data: '<event name="checkpoint_begin"/>', file_name: 'C_0_1.xel', file_offset: 5_120 },
    { object_name: 'checkpoint_end', event_data: '<event name="checkpoint_end"/>', file_name: 'C_0_1.xel', file_offset: 5_120 },
  ],
};

export const EXPECTED_OF_SESSIONS: Readonly<Record<string, readonly string[]>> = {
  eventSession: [
    `STANDALONE|2026-02-18T04:00:00.123|2026-03-02T08:00:00.123|60|1|1|65536|2026-03-02T08:30:00.123|2026-03-01T08:30:00.123|0|2|4194304|1|5000|1|1|([database_id]=(5))|([database_id]=(5))|CheckpointHealth.xel|4|64|0|${xml}`,
  ],
  adoptableSessions: ['CheckpointHealth|2026-03-02T08:30:00.123|1|1|0|([database_id]=(5))', 'Watch|2026-03-01T08:30:00.123|0|0|1|~'],
  checkpointEvents: [
    'checkpoint_begin|<event name="checkpoint_begin"/>|C_0_1.xel|5120',
    'checkpoint_end|<event name="checkpoint_end"/>|C_0_1.xel|5120',
  ],
  ringBuffer: [`0|30037|<RingBufferTarget>${'x'.repeat(29_982)}`, `1|30037|${'x'.repeat(18)}</RingBufferTarget>`],
};
