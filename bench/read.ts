// Requests of the benches. An answer is read to its end, and anything but a success is an error.

export class BadAnswer extends Error {
  readonly status: number;

  constructor(status: number, url: string, text: string) {
    super(`${url}: ${status} ${text.slice(0, 500)}`);
    this.status = status;
  }
}

/**
 * @returns the number of bytes
 * @throws BadAnswer
 */
export async function read(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  const answer = await fetch(url, { headers });
  if (!answer.ok || answer.body === null) throw new BadAnswer(answer.status, url, await answer.text());
  let bytes = 0;
  for await (const part of answer.body) bytes += part.byteLength;
  return bytes;
}
