// The words and rules that pages share with the terminal and the read API.
export { operationOf } from '../../../../src/api/operations.ts';
export { localOf, offsetAt } from '../../../../src/base/time-zone.ts';
export { anomalyInWords, anomalyKinds, isAnomalyOfTransaction } from '../../../../src/domain/anomalies.ts';
export {
  addDecimals,
  parseDecimal,
  withoutSeparators,
  withoutZeros,
} from '../../../../src/domain/decimal.ts';
export { isDay } from '../../../../src/domain/instant.ts';
export { jobNames, resources } from '../../../../src/domain/jobs.ts';
export { jsonLeaves } from '../../../../src/domain/json.ts';
export { checkedDays, stuckAfterHours } from '../../../../src/domain/transaction.ts';
export * from '../../../../src/domain/words.ts';
export { pathSegment } from '../../../../src/http/request/path-segment.ts';
export * from '../../../../src/status/words.ts';
