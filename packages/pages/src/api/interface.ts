// All that pages know of the rest of the program besides the values and words of src/domain: the read API,
// the status of a process, and how both are put in words. Nothing else here imports from above src/domain.

export type { Parameter, Parameters, Params } from '../../../../src/api/answer/parameters.ts';
export type * from '../../../../src/api/generated/api-types.ts';
export { operationOf } from '../../../../src/api/operations.ts';
export { localOf, offsetAt } from '../../../../src/base/time-zone.ts';
export { pathSegment } from '../../../../src/http/request/path-segment.ts';
export type { ProblemKind } from '../../../../src/http/request/problem-kinds.ts';
export type { CachedStatus, ProcessState, StatusFault } from '../../../../src/http/request/status-source.ts';
export * from '../../../../src/status/health.ts';
export * from '../../../../src/status/words.ts';
