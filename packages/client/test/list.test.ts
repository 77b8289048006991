// Lists of the client: rows over all pages, pages, and CSV.
import { expect, test } from 'vitest';
import { waitFor } from '../../../test/support/wait-for.ts';
import { ApiError } from '../src/client.ts';
import { breakOff, fakeApi, pageOf, sendJson, sendProblem } from './fake-api.ts';

/** Three pages of runs, of which the second breaks off at first. */
async function threePages() {
  let faults = 1;
  return await fakeApi((_, response, { searchParams }) => {
    const cursor = searchParams.get('cursor');
    if (cursor === null) return sendJson(response, pageOf([6, 5], 'b'));
    if (cursor === 'c') return sendJson(response, pageOf([2], null));
    if (faults-- > 0) return breakOff(response, pageOf([4, 3], 'c'));
    return sendJson(response, pageOf([4, 3], 'c'));
  });
}

test('the rows of all pages come in order, once each, across a fault', async () => {
  const { client, requests } = await threePages();
  const runs = client.listRuns({ job: 'transactions', limit: 2 });
  expect(requests).toEqual([]);
  const ids: number[] = [];
  for await (const { run_id } of runs) ids.push(run_id);
  expect(ids).toEqual([6, 5, 4, 3, 2]);
  const common = '/api/v1/runs?job=transactions&limit=2';
  expect(requests).toEqual([common, `${common}&cursor=b`, `${common}&cursor=b`, `${common}&cursor=c`]);
  expect((await runs.toArray()).map(({ run_id }) => run_id)).toEqual(ids);
});

test('pages come as they were answered, and a cursor in the query is where they begin', async () => {
  const { client, requests } = await threePages();
  const cursors: (string | null)[] = [];
  for await (const { next_cursor } of client.listRuns({ cursor: 'b' }).pages()) cursors.push(next_cursor);
  expect(cursors).toEqual(['c', null]);
  expect(await client.listRuns({ cursor: 'c' }).page()).toEqual(pageOf([2], null));
  expect(await client.listRuns().page()).toMatchObject({ account_id: 'acme', next_cursor: 'b' });
  expect(requests.length).toBe(5);
});

test('who leaves a list asks for no further page', async () => {
  const { client, requests } = await threePages();
  for await (const { run_id } of client.listRuns()) if (run_id === 5) break;
  expect(requests).toHaveLength(1);
});

test('a refusal in the middle of a list is thrown where the rows would come', async () => {
  const { client } = await fakeApi((_, response, { searchParams }) =>
    searchParams.has('cursor')
      ? sendProblem(response, 410, { code: 'gone', detail: 'it is gone' })
      : sendJson(response, pageOf([1], 'b')),
  );
  const ids: number[] = [];
  const walk = async () => {
    for await (const { run_id } of client.listRuns()) ids.push(run_id);
  };
  await expect(walk()).rejects.toMatchObject({ status: 410, problem: { code: 'gone' } });
  expect(ids).toEqual([1]);
});

test('CSV comes as a stream, which begins again after a fault, but not once it has begun', async () => {
  let faults = 1;
  const { client, requests } = await fakeApi((request, response) => {
    if (faults-- > 0) return response.destroy();
    expect(request.headers.accept).toBe('text/csv');
    response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8; header=present' });
    return response.end('run_id,job\r\n1,transactions\r\n');
  });
  const stream = await client.listRunsCsv({ job: 'transactions' });
  expect(await new Response(stream).text()).toBe('run_id,job\r\n1,transactions\r\n');
  expect(requests).toEqual(Array(2).fill('/api/v1/runs.csv?job=transactions'));
});

test('CSV that breaks off, or stands still, is an error of its reader', async () => {
  for (const ends of [true, false]) {
    const { client } = await fakeApi(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' });
        response.write('run_id\r\n', () => ends && response.destroy());
      },
      { timeoutMs: 200 },
    );
    const error = await new Response(await client.listRunsCsv()).text().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: null, isTransient: true });
  }
});

test('an abort ends a stream of CSV, and who cancels it ends the request', async () => {
  let closed = 0;
  const { client } = await fakeApi((request, response) => {
    request.on('close', () => {
      closed += 1;
    });
    response.writeHead(200, { 'content-type': 'text/csv' });
    response.write('run_id\r\n');
  });
  const controller = new AbortController();
  const stream = await client.listRunsCsv({}, { signal: controller.signal });
  const read = new Response(stream).text();
  controller.abort(new Error('enough'));
  await expect(read).rejects.toThrow('enough');
  await waitFor(() => closed === 1);
  await (await client.listRunsCsv()).cancel();
  await waitFor(() => closed === 2);
});
