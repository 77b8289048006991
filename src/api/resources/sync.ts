// The accounts, how fresh and complete their data is, and what was found in it.
import { z } from 'zod';
import { resources } from '../../domain/jobs.ts';
import {
  accounts,
  anomalies,
  facts,
  freshness,
  health,
  problems,
  quarantine,
  readHealth,
  runs,
} from '../../store/read-api/findings.ts';
import { listOperation } from '../answer/list-operation.ts';
import { oneOperation } from '../answer/one-operation.ts';
import { choice, flag, moment, text } from '../answer/parameter-kinds.ts';
import { rowSchema } from '../answer/schemas.ts';

const resource = choice(resources, 'Only this resource.');
const resolved = flag('Only resolved, or only open ones. Default: both.');

export const syncOperations = [
  listOperation({
    id: 'listAccounts',
    path: '/v1/accounts',
    summary: 'The accounts that you can read',
    listing: accounts,
    row: 'Account',
    filters: { account_id: text('Only this account.', 'default') },
    isOverAccounts: true,
  }),
  listOperation({
    id: 'listFreshness',
    path: '/v1/freshness',
    summary: 'How fresh and how complete each resource is',
    listing: freshness,
    row: 'Freshness',
    filters: { resource },
  }),
  oneOperation({
    id: 'getHealth',
    path: '/v1/health',
    summary: 'Health in one word, and the problems',
    row: 'Health',
    schema: rowSchema(health, { problems: z.array(rowSchema(problems)) }),
    read: readHealth,
  }),
  listOperation({
    id: 'listRuns',
    path: '/v1/runs',
    summary: 'Runs of the jobs, what they did, and their verdicts',
    listing: runs,
    row: 'Run',
    filters: {
      job: text('Only runs of this job.', 'transactions'),
      status: choice(['succeeded', 'failed', 'running', 'abandoned'], 'Only runs with this status.'),
      verified: flag('Only sweeps that were verified, or that were not.'),
      started_from: moment('Only runs that began at this moment or later.'),
      started_to: moment('Only runs that began before this moment.'),
    },
  }),
  listOperation({
    id: 'listQuarantine',
    path: '/v1/quarantine',
    summary: 'Unreadable records, with their text and the reason',
    listing: quarantine,
    row: 'QuarantinedRecord',
    filters: { resource, resolved },
  }),
  listOperation({
    id: 'listAnomalies',
    path: '/v1/anomalies',
    summary: 'Anomalies in the data of the service',
    listing: anomalies,
    row: 'Anomaly',
    filters: { kind: text('Only this kind.', 'unknown-status'), resource, resolved },
  }),
  listOperation({
    id: 'listFacts',
    path: '/v1/facts',
    summary: 'Facts learned about the service',
    listing: facts,
    row: 'Fact',
    filters: {},
  }),
];
