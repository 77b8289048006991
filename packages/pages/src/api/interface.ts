// All that pages know of the rest of the program, besides the plain values and words of src/domain: the read
// API, the status of a process, and how both are put in words. Nothing else here imports from above
// src/domain.

export type { Given, Parameter, Parameters } from '../../../../src/api/answer/parameters.ts';
export type * from '../../../../src/api/generated/api-types.ts';
export { operationOf } from '../../../../src/api/operations.ts';
export { localOf, offsetAt } from '../../../../src/base/time-zone.ts';
export { pathSegment } from '../../../../src/http/request/path-segment.ts';
export type { ProblemKind } from '../../../../src/http/request/problem-kinds.ts';
export type { ProcessState, StatusFault, StatusSeen } from '../../../../src/http/request/status-seen.ts';
export * from '../../../../src/status/health.ts';
export * from '../../../../src/status/words.ts';
