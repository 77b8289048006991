// The totals at the end of a CSV, gathered row by row.
import { expect, test } from 'vitest';
import { flowsDaily } from '../../../../src/store/reading/flows.ts';
import { startSummary } from '../../../../src/store/reading/list/csv-summary.ts';
