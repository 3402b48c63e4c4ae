export * from './batcher.js';
export * from './disconnect-signal.js';
export * from './speed/cancellation.js';
export * from './config.js';
export * from './development-secrets.js';
export * from './error-codes.js';
export * from './errors.js';
export * from './hashing.js';
export * from './health.js';
export * from './max-entries.js';
export { isDeeperThan, readJson, type JsonLimits } from './http/json.js';
export { BodyMemoryPool } from './http/bodies/body-memory-pool.js';
export { BodyErrors, discardRest } from './http/bodies/body-errors.js';
export { readBody } from './http/bodies/body-reader.js';
export { BodyReceiver, MAX_WEBHOOK_BYTES } from './http/bodies/body-receiver.js';
export { ByteCollector } from './http/bodies/byte-collector.js';
export { clientBucket } from './http/bodies/client-bucket.js';
export * from './http/app-answers.js';
export * from './http/hop-by-hop.js';
export { SERVICE_HEADERS } from './http/service-headers.js';
export * from './http/error.filter.js';
export * from './http/input.pipe.js';
export { Deprecated } from './http/deprecated.js';
export { IgnoresUnknownQueryKeys, RefusesUnknownQueryKeys, AcceptsQueryKey } from './http/query.guard.js';
export { Routine } from './http/routine.js';
export { allowCaching } from './http/security-headers.js';
export * from './ids.js';
export * from './keyring.js';
export * from './logging.js';
export * from './openapi.js';
export * from './concurrency-limit.js';
export * from './platform.module.js';
export * from './request-context.js';
export * from './service.js';
export * from './service-calls.js';
export * from './service-client.js';
export * from './service-connection.js';
export * from './service-unavailable.js';
export * from './speed/speed-trick.js';
export { withoutOrigin, withOrigin, tracedJob } from './tracing/jobs.js';
export { traceHeaders } from './tracing/propagation.js';
export {
  currentSpan,
  runOutsideSpans,
  runAndEnd,
  runInSpan,
  traced,
  useTracer,
  type Span,
  type Tracer,
} from './tracing/spans.js';
export { TaskEnded, WorkerTasks, type WorkerTasksOptions } from './worker-tasks.js';
