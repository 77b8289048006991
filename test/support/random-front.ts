// A gateway that loses the order of answers: it sends them late behind an answer of its own, twice, to another
// request, run together, or not at all. What it does is drawn from a seed.
import { createServer, type Socket } from 'node:net';
import { listening } from './listening.ts';

export interface Front {
  readonly url: string;
  /** From now on every answer is passed on in order. */
  behave(): void;
  /** What it did to the answers of which endpoint. */
  readonly done: ReadonlySet<string>;
}

interface Answer {
  readonly status: number;
  readonly body: string;
}

type Exchange = (answer: Answer) => void;

const ownStatuses = [200, 400, 429, 503, 504] as const;
/** All that it does. */
export const disorders = [
  ...ownStatuses.map((status) => `late after ${status}` as const),
  'twice at once',
  'twice, later',
  'run together',
  'exchanged',
  'cut and reset',
  'reset, and late on another connection',
] as const;
type Disorder = (typeof disorders)[number];

/** The endpoint of a path: its first part, and whether an id or a type follows. */
const endpointOf = (path: string) =>
  path.replace(/[?].*/, '').replace(/^\/(\w+)(\/.*)?$/, (_, list, rest) => (rest ? `${list}/…` : list));

/** @param random numbers from 0 to 1 @param share how many of the answers are in disorder */
export async function openFront(service: string, random: () => number, share: number): Promise<Front> {
  /** Requests whose answers may be exchanged for those of others. */
  const held: { readonly answer: Answer; readonly send: Exchange }[] = [];
  let behaves = false;
  const pause = () => Math.floor(random() * 40);

  const answerOf = async (path: string, key: string): Promise<Answer> => {
    const response = await fetch(service + path, { headers: { 'x-api-key': key } });
    return { status: response.status, body: await response.text() };
  };
  const write = (socket: Socket, ...answers: readonly Answer[]) => {
    if (!socket.destroyed && socket.writable) socket.write(answers.map(textOf).join(''));
  };
  const later = (socket: Socket, answer: Answer) => {
    setTimeout(() => write(socket, answer), pause());
  };
  const lateAfter = (status: (typeof ownStatuses)[number]) => (socket: Socket, answer: Answer) => {
    write(socket, { status, body: ownBodies[status] });
    later(socket, answer);
  };

  const acts: Record<Disorder, (socket: Socket, answer: Answer) => void> = {
    'late after 200': lateAfter(200),
    'late after 400': lateAfter(400),
    'late after 429': lateAfter(429),
    'late after 503': lateAfter(503),
    'late after 504': lateAfter(504),
    'twice at once': (socket, answer) => write(socket, answer, answer),
    'twice, later': (socket, answer) => {
      write(socket, answer);
      later(socket, answer);
    },
    'run together': (socket, answer) => write(socket, { ...answer, body: answer.body + answer.body }),
    exchanged: (socket, answer) => {
      const other = held.pop();
      if (other === undefined) {
        const waiting = { answer, send: (found: Answer) => write(socket, found) };
        held.push(waiting);
        setTimeout(() => {
          const at = held.indexOf(waiting);
          if (at >= 0) held.splice(at, 1)[0]?.send(answer);
        }, 60);
        return;
      }
      other.send(answer);
      write(socket, other.answer);
    },
    'cut and reset': (socket, answer) => {
      socket.write(textOf(answer).slice(0, 200), () => socket.resetAndDestroy());
    },
    'reset, and late on another connection': (socket, answer) => {
      const others = [...sockets].filter((other) => other !== socket);
      socket.resetAndDestroy();
      const other = others[Math.floor(random() * others.length)];
      if (other !== undefined) later(other, answer);
    },
  };
  const done = new Set<string>();

  const server = createServer((socket) => {
    let text = '';
    let before: Promise<void> = Promise.resolve();
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        text = text.slice(end + 4);
        const path = /^GET (\S+)/.exec(head)?.[1] ?? '/';
        const key = /^x-api-key: (.*)$/im.exec(head)?.[1] ?? '';
        const pass = async () => {
          const answer = await answerOf(path, key);
          const name = disorders[Math.floor(random() * disorders.length)] ?? 'exchanged';
          if (behaves || random() >= share) return write(socket, answer);
          done.add(`${endpointOf(path)}: ${name}`);
          acts[name](socket, answer);
        };
        // As the service is away at the end of a test, so is what stands in front of it.
        before = before.then(pass).catch(() => void socket.destroy());
      }
    });
  });
  const { url, sockets } = await listening(server);
  return {
    url,
    behave() {
      behaves = true;
    },
    done,
  };
}

const errorBody = (code: string, status: number) =>
  JSON.stringify({ status: 'error', error_code: code, error_message: 'of the front', code: `${status}` });

/** What it answers itself. */
const ownBodies: Readonly<Record<(typeof ownStatuses)[number], string>> = {
  200: '{"message":"accepted"}',
  400: errorBody('ERR-01', 400),
  429: errorBody('ERR-03', 429),
  503: '{"message":"no upstream"}',
  504: '{"message":"upstream timed out"}',
};

function textOf({ status, body }: Answer): string {
  const length = Buffer.byteLength(body);
  return `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
}
